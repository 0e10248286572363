package io.orrery.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Large files of formats that nobody has written a large file of here: a session's rows again and
 * again, under other ids.
 */
final class RepeatedRows {
  private static final int TIMES = 30_000;

  /** Stands for the number of the repetition. */
  private static final String NUMBER = "@";

  /**
   * Rows by format.
   *
   * @param header written once
   * @param rows written often
   */
  private record Sample(String header, String rows) {}

  private static final Map<String, Sample> SAMPLES =
      Map.ofEntries(
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

  /** Writes a file of a format. */
  static void write(String format, Path file) throws IOException {
    Sample sample = SAMPLES.get(format);
    if (sample == null) {
      throw new IllegalArgumentException(
          "found " + format + ", expected one of " + SAMPLES.keySet().stream().sorted().toList());
    }
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write(sample.header());
      for (int i = 0; i < TIMES; i++) {
        out.write(sample.rows().replace(NUMBER, Integer.toString(i + 1)));
      }
    }
  }
}
