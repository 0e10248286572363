package io.orrery.bench;

import io.orrery.traces.ColumnMapping;
import io.orrery.traces.TraceOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Large files of formats that nobody has written a large file of here: a session's rows again and
 * again, under other ids.
 */
final class RepeatedRows {
  static final int TIMES = 30_000;

  /** Stands for the number of the repetition. */
  private static final String NUMBER = "@";

  /**
   * Rows by format.
   *
   * @param header written once
   * @param rows written often
   * @param footer written once
   */
  private record Sample(String header, String rows, String footer) {
    Sample(String header, String rows) {
      this(header, rows, "");
    }
  }

  /** The columns of the table that is read by a mapping. */
  private static final String MAPPING =
      "session=user,timestamp=ts:s,input=prompt_tokens,output=completion_tokens,ttft=first:ms";

  /** Lists of a benchmark's results, by their keys: what each request adds. */
  private static final Map<String, String> LISTS =
      new TreeMap<>(
          Map.of(
              "input_lens", "550",
              "output_lens", "3",
              "ttfts", "0.255886567",
              "itls", "[0.010125, 0.0098]",
              "latencies", "0.275911567",
              "start_times", "@.25",
              "generated_texts", "\"Nothing does.\"",
              "errors", "\"\""));

  private static final Map<String, Sample> SAMPLES =
      Map.ofEntries(
          Map.entry(
              "mooncake",
              new Sample(
                  "",
                  """
                  {"timestamp": @, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1, @10, @11, @12, @13, @14, @15, @16, @17, @18, @19]}
                  {"timestamp": @, "input_length": 7300, "output_length": 30, "hash_ids": [0, 1, @10, @11, @12, @13, @20, @21, @22, @23, @24, @25, @26]}
                  """)),
          Map.entry(
              "mooncake-delta",
              new Sample(
                  "",
                  """
                  {"session_id": "@", "input_length": 1024, "output_length": 100, "hash_ids": [0, 1], "timestamp": @}
                  {"session_id": "@", "input_length": 499, "output_length": 583, "hash_ids": [2], "delay": 2347.4}
                  """)),
          Map.entry(
              "agentic-mooncake",
              new Sample(
                  """
                  {"schema":"dynamo.agentic_mooncake","version":2,"block_size":64,"hash_id_scope":"local"}
                  """,
                  """
                  {"request_id":"@-0","play_id":"@","session_id":"main","model":"m","input_length":128,"output_length":16,"hash_ids":[1,2],"not_before_ms":0.0,"dependencies":[]}
                  {"request_id":"@-1","play_id":"@","session_id":"sub","model":"m","input_length":64,"output_length":16,"hash_ids":[7],"not_before_ms":5,"dependencies":[{"request_id":"@-0","trigger":"dispatch","delay_ms":5}]}
                  """)),
          Map.entry(
              "bailian",
              new Sample(
                  "",
                  """
                  {"chat_id": @0, "parent_chat_id": -1, "timestamp": @.5, "input_length": 37, "output_length": 11, "type": "text", "turn": 1, "hash_ids": [0, 1, 2]}
                  {"chat_id": @1, "parent_chat_id": @0, "timestamp": @.9, "input_length": 60, "output_length": 132, "type": "text", "turn": 2, "hash_ids": [0, 1, 3, 4]}
                  """)),
          Map.entry(
              "dynamo-agent",
              new Sample(
                  "",
                  """
                  {"timestamp": 12, "event": {"schema": "dynamo.agent.trace.v1", "event_type": "request_end", "event_time_unix_ms": 1777312801000, "event_source": "dynamo", "agent_context": {"session_type_id": "deep_research", "session_id": "run", "trajectory_id": "run:@"}, "request": {"request_id": "@", "model": "m", "input_tokens": 4096, "output_tokens": 512, "cached_tokens": 3584, "request_received_ms": 1777312800000, "ttft_ms": 82.4, "total_time_ms": 1000.1}}}
                  {"timestamp": 13, "event": {"schema": "dynamo.agent.trace.v1", "event_type": "tool_end", "event_time_unix_ms": 1777312801500, "agent_context": {"session_id": "run", "trajectory_id": "run:@"}, "tool": {"tool_call_id": "c", "tool_class": "search", "status": "succeeded", "started_at_unix_ms": 1777312801080, "ended_at_unix_ms": 1777312801500}}}
                  """)),
          Map.entry(
              "applied-compute",
              new Sample(
                  "",
                  """
                  {"num_turns":2,"input_prompt_length":8000,"assistant_response_length":[200,90],"tool_call_output_length":[600,40],"tool_call_latency":[1.2,0.4],"final_assistant_response_length":150}
                  """)),
          Map.entry(
              "tracelab",
              new Sample(
                  "",
                  """
                  {"provider": "claude", "session_id": "@", "round_index": 0, "model": "m", "input_tokens_total": 64, "prefix_tokens": 0, "newly_append_tokens": 64, "output_tokens": 4, "timing_events": [{"event_type": "user_message", "timestamp": "2026-08-25T00:00:00Z"}, {"event_type": "tool_call", "timestamp": "2026-08-25T00:00:02.010Z"}], "tools": [{"tool_name": "Bash", "tool_wall_latency_ms": 12}]}
                  {"provider": "claude", "session_id": "@", "round_index": 1, "model": "m", "input_tokens_total": 128, "prefix_tokens": 64, "newly_append_tokens": 64, "output_tokens": 5, "timing_events": [{"event_type": "tool_result", "timestamp": "2026-08-25T00:00:03Z"}], "tools": []}
                  """)),
          Map.entry(
              "session-rounds",
              new Sample(
                  """
                  session_id,arrival_time,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms
                  """,
                  """
                  @,@,0,0,64,4,277
                  @,,1,68,64,5,
                  """)),
          Map.entry(
              "burstgpt",
              new Sample(
                  """
                  Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
                  """,
                  """
                  @.0,@,43,GPT-4,906,446,1352,Conversation log
                  """)),
          Map.entry(
              "ragpulse",
              new Sample(
                  "",
                  """
                  {"timestamp": "@", "input_length": 3112, "output_length": 192, "hash_ids": {"sys_prompt": [8302, 14332], "passages_ids": [1], "history": [], "web_search": [], "user_input": [5]}, "session_id": "@"}
                  """)),
          Map.entry(
              "vidur",
              new Sample(
                  """
                  arrived_at,num_prefill_tokens,num_decode_tokens,block_hash_ids,block_size,session_id
                  """,
                  """
                  @.5,40,7,"[1, 2, @3]",16,@
                  """)),
          Map.entry(
              "splitwise",
              new Sample(
                  """
                  request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size
                  """,
                  """
                  @,2,0,@.5,1,4096,32
                  """)),
          Map.entry(
              "mapped",
              new Sample(
                  """
                  user,ts,prompt_tokens,completion_tokens,first,unused
                  """,
                  """
                  @,@.5,120,7,255.8,x
                  """)),
          Map.entry(
              "aiperf-inputs",
              new Sample(
                  """
                  {"data": [
                  """,
                  """
                  {"session_id": "@", "payloads": [{"messages": [{"role": "user", "content": "What holds up the sky, and who has ever seen it, from the top of which hill, and when?"}], "model": "m", "stream": true, "max_completion_tokens": 64}, {"messages": [{"role": "user", "content": "And what if nothing does?"}], "model": "m", "stream": true, "max_completion_tokens": 64}]},
                  """,
                  """
                  {"session_id": "last", "payloads": []}]}
                  """)),
          Map.entry(
              "aiperf",
              new Sample(
                  "",
                  """
                  {"metadata": {"session_num": 45, "x_request_id": "@", "x_correlation_id": "@", "conversation_id": "@", "turn_index": 0, "request_start_ns": 1759813207532900363, "request_end_ns": 1759813207838764604, "worker_id": "worker_1", "benchmark_phase": "profiling", "was_cancelled": false}, "metrics": {"input_sequence_length": {"value": 550, "unit": "tokens"}, "time_to_first_token": {"value": 255.886567, "unit": "ms"}, "request_latency": {"value": 297.5, "unit": "ms"}, "output_sequence_length": {"value": 9, "unit": "tokens"}}, "error": null}
                  """)),
          Map.entry(
              "blis",
              new Sample(
                  """
                  request_id,client_id,session_id,round_index,prefix_group,prefix_length,streaming,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,num_chunks,status,error_message,finish_reason
                  """,
                  """
                  @0,c1,@,0,g,32,true,100,50,1000000,1000500,1500000,2000000,10,ok,,stop
                  @1,c1,@,1,g,32,true,130,40,2500000,2500000,2600000,2700000,10,ok,,stop
                  """)),
          Map.entry(
              "spans",
              new Sample(
                  "",
                  """
                  {"name": "chat m", "context": {"trace_id": "@", "span_id": "@1"}, "start_time": "2026-01-31T10:00:00.5Z", "end_time": "2026-01-31T10:00:02.5Z", "status": {"status_code": "UNSET"}, "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 33, "gen_ai.response.finish_reasons": ["tool_calls"]}}
                  {"name": "execute_tool search", "context": {"trace_id": "@", "span_id": "@2"}, "start_time": "2026-01-31T10:00:02.6Z", "end_time": "2026-01-31T10:00:03Z", "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search"}}
                  """)));

  private RepeatedRows() {}

  /** What must be said to read a file. */
  static TraceOptions options(String name) {
    TraceOptions options = TraceOptions.defaults();
    return name.equals("mapped") ? options.withColumns(ColumnMapping.parse(MAPPING)) : options;
  }

  /**
   * Writes a file of a format.
   *
   * @param times how often the rows come
   */
  static void write(String name, int times, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      if (name.equals("benchmark")) {
        writeLists(times, out);
        return;
      }
      Sample sample = SAMPLES.get(name);
      if (sample == null) {
        throw new IllegalArgumentException(
            "found " + name + ", expected benchmark or one of " + new TreeSet<>(SAMPLES.keySet()));
      }
      out.write(sample.header());
      for (int i = 1; i <= times; i++) {
        out.write(sample.rows().replace(NUMBER, Integer.toString(i)));
      }
      out.write(sample.footer());
    }
  }

  private static void writeLists(int times, BufferedWriter out) throws IOException {
    out.write("{\"backend\": \"vllm\", \"model_id\": \"m\"");
    for (Map.Entry<String, String> list : LISTS.entrySet()) {
      out.write(", \"" + list.getKey() + "\": [");
      for (int i = 1; i <= times; i++) {
        out.write((i > 1 ? ", " : "") + list.getValue().replace(NUMBER, Integer.toString(i)));
      }
      out.write("]");
    }
    out.write("}\n");
  }
}
