package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One good sample of each format, which the conformance tests take apart. A sample has several
 * records, a session of several turns where the format has sessions, and no final line break is
 * needed. A new format adds its line here.
 */
final class FormatSamples {
  private static final Map<TraceFormat, Sample> SAMPLES = new EnumMap<>(TraceFormat.class);

  /**
   * A sample.
   *
   * @param text the file
   * @param requests how many requests it holds
   * @param input what stands before the token count of one record, a bar, and the count
   * @param time the same for a time of one record; empty where there is none
   */
  record Sample(String text, int requests, String input, String time) {
    /** The text with another token count in one record. */
    String withInput(String value) {
      return with(input, value);
    }

    /** The text with another time in one record. */
    String withTime(String value) {
      return with(time, value);
    }

    private String with(String piece, String value) {
      int bar = piece.indexOf('|');
      String before = piece.substring(0, bar);
      String old = before + piece.substring(bar + 1);
      int at = text.indexOf(old);
      if (at < 0) {
        throw new AssertionError("no " + old + " in the sample");
      }
      return text.substring(0, at) + before + value + text.substring(at + old.length());
    }

    boolean isTable() {
      return !text.startsWith("{");
    }

    List<String> lines() {
      return text.lines().toList();
    }
  }

  static {
    add(
        TraceFormat.MOONCAKE,
        4,
        "\"input_length\": |2048",
        "\"timestamp\": |1000",
        """
        {"session_id": "a", "timestamp": 1000, "input_length": 2048, "output_length": 128, "hash_ids": [1, 2, 3, 4]}
        {"session_id": "a", "delay": 250, "input_length": 2300, "output_length": 64, "hash_ids": [1, 2, 3, 4, 5]}
        {"timestamp": 1000, "request_id": "r", "input_length": 1, "output_length": 0, "hash_ids": []}
        {"timestamp": 1200.5, "request_id": "q", "input_length": 512, "output_length": 2, "hash_ids": [9]}
        """);
    add(
        TraceFormat.MOONCAKE_DELTA,
        3,
        "\"input_length\": |1024",
        "\"timestamp\": |0.0",
        """
        {"session_id": "s", "input_length": 1024, "output_length": 100, "hash_ids": [0, 1], "timestamp": 0.0, "group_id": 19}
        {"session_id": "s", "input_length": 499, "output_length": 583, "hash_ids": [2], "delay": 2347.4}
        {"session_id": "s", "input_length": 700, "output_length": 5, "hash_ids": [3, 4], "delay": 20}
        """);
    add(
        TraceFormat.AGENTIC_MOONCAKE,
        3,
        "\"input_length\":|128",
        "\"not_before_ms\":|0.0",
        """
        {"schema":"dynamo.agentic_mooncake","version":2,"block_size":64,"hash_id_scope":"local","source":{"format":"weka","digest":"00"}}
        {"request_id":"p-0","play_id":"p","session_id":"main","model":"m","input_length":128,"output_length":16,"hash_ids":[1,2],"not_before_ms":0.0,"dependencies":[]}
        {"request_id":"p-1","play_id":"p","session_id":"sub","model":"m","input_length":64,"output_length":16,"hash_ids":[7],"not_before_ms":5,"dependencies":[{"request_id":"p-0","trigger":"dispatch","delay_ms":5,"relation":"spawn"}]}
        {"request_id":"p-2","play_id":"p","session_id":"main","model":"m","input_length":200,"output_length":4,"hash_ids":[1,2,3,4],"not_before_ms":90,"dependencies":[{"request_id":"p-0","trigger":"completion","delay_ms":10.5,"relation":"sequence"},{"request_id":"p-1","trigger":"completion","delay_ms":1,"relation":"join"}]}
        """);
    add(
        TraceFormat.BAILIAN,
        4,
        "\"input_length\": |37",
        "\"timestamp\": |0.0",
        """
        {"chat_id": 0, "parent_chat_id": -1, "timestamp": 0.0, "input_length": 37, "output_length": 11, "type": "text", "turn": 1, "hash_ids": [0, 1, 2]}
        {"chat_id": 7, "parent_chat_id": 0, "timestamp": 61.114, "input_length": 60, "output_length": 132, "type": "search", "turn": 2, "hash_ids": [0, 1, 3, 4]}
        {"chat_id": 8, "parent_chat_id": 0, "timestamp": 61.2, "input_length": 48, "output_length": 1, "type": "text", "turn": 2, "hash_ids": [0, 1, 5]}
        {"chat_id": 9, "parent_chat_id": 7, "timestamp": 70, "input_length": 200, "output_length": 1, "type": "image", "turn": 3, "hash_ids": [0, 1, 3, 6]}
        """);
    add(
        TraceFormat.WEKA,
        4,
        "\"in\":|256",
        "\"t\":|0.0",
        """
        {"id":"p","models":["m"],"block_size":64,"hash_id_scope":"local","tool_tokens":100,"system_tokens":60,"requests":[{"t":0.0,"type":"n","model":"m","in":256,"out":9,"hash_ids":[1,2,3,4],"input_types":["text"],"output_types":["tool_use"],"stop":"tool_use","api_time":18.78,"ttft":1.5},{"t":20.5,"type":"subagent","agent_id":"a1","subagent_type":"Explore","duration_ms":59700,"status":"completed","requests":[{"t":0,"type":"s","model":"m","in":64,"out":1,"hash_ids":[90],"api_time":2},{"t":7,"type":"s","model":"m","in":128,"out":1,"hash_ids":[90,91],"think_time":5,"api_time":3.25}]},{"t":90,"type":"n","model":"m","in":384,"out":1,"hash_ids":[1,2,3,4,5,6],"stop":"end_turn"}]}
        """);
    add(
        TraceFormat.DYNAMO,
        4,
        "\"input_length\":|9",
        "\"request_received_ms\":|1500",
        """
        {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":1400,"agent_context":{"session_id":"p"},"request":{"request_id":"y","model":"m","request_received_ms":1000,"total_time_ms":400,"ttft_ms":82.4,"cached_tokens":4,"output_tokens":4,"worker":{"prefill_worker_id":"0","decode_worker_id":"1"},"replay":{"trace_block_size":4,"input_length":10,"input_sequence_hashes":[18446744073709551615,8]},"finish_reason_metadata":{"finish_reason":"tool_calls","tool_calls":[{"id":"c1","name":"search"}]}}}
        {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":1900,"agent_context":{"session_id":"c","parent_session_id":"p"},"request":{"request_id":"x","model":"m","request_received_ms":1500,"output_tokens":4,"replay":{"trace_block_size":4,"input_length":9,"input_sequence_hashes":[7,11,9],"completion_sequence_hashes":[7,11,10]}}}
        {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":2500,"agent_context":{"session_id":"p"},"request":{"request_id":"z","model":"m","request_received_ms":2000,"total_time_ms":500,"output_tokens":2,"replay":{"trace_block_size":4,"input_length":16,"input_sequence_hashes":[18446744073709551615,8,12,13]}}}
        {"timestamp":3,"event":{"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":2600,"request":{"request_id":"w","model":"m","request_received_ms":2100,"total_time_ms":500,"output_tokens":2,"replay":{"trace_block_size":4,"input_length":4,"input_sequence_hashes":[21]}}}}
        """);
    add(
        TraceFormat.DYNAMO_AGENT,
        2,
        "\"input_tokens\": |4096",
        "\"request_received_ms\": |1777312800000",
        """
        {"schema": "dynamo.agent.trace.v1", "event_type": "request_end", "event_time_unix_ms": 1777312801000, "event_source": "dynamo", "agent_context": {"session_type_id": "deep_research", "session_id": "run-42", "trajectory_id": "run-42:researcher"}, "request": {"request_id": "r1", "model": "m", "input_tokens": 4096, "output_tokens": 512, "cached_tokens": 3584, "request_received_ms": 1777312800000, "ttft_ms": 82.4, "total_time_ms": 1000.1}}
        {"schema": "dynamo.agent.trace.v1", "event_type": "tool_end", "event_time_unix_ms": 1777312801500, "agent_context": {"session_id": "run-42", "trajectory_id": "run-42:researcher"}, "tool": {"tool_call_id": "call-abc", "tool_class": "web_search", "status": "succeeded", "started_at_unix_ms": 1777312801080, "ended_at_unix_ms": 1777312801500, "duration_ms": 420.5}}
        {"schema": "dynamo.agent.trace.v1", "event_type": "request_end", "event_time_unix_ms": 1777312803000, "agent_context": {"session_id": "run-42", "trajectory_id": "run-42:researcher"}, "request": {"request_id": "r2", "model": "m", "input_tokens": 5000, "output_tokens": 12, "request_received_ms": 1777312801600, "total_time_ms": 1400}}
        """);
    add(
        TraceFormat.APPLIED_COMPUTE,
        5,
        "\"input_prompt_length\":|8000",
        "",
        """
        {"num_turns":2,"input_prompt_length":8000,"assistant_response_length":[200,90],"tool_call_output_length":[600,40],"tool_call_latency":[1.2,0.4],"final_assistant_response_length":150}
        {"num_turns":1,"input_prompt_length":100,"assistant_response_length":[20],"tool_call_output_length":[6],"tool_call_latency":[0],"final_assistant_response_length":15}
        """);
    add(
        TraceFormat.TRACELAB,
        3,
        "\"input_tokens_total\": |64",
        "\"timestamp\": |\"2026-08-25T00:00:00Z\"",
        """
        {"provider": "claude", "session_id": "s1", "round_index": 0, "model": "m", "input_tokens_total": 64, "prefix_tokens": 0, "newly_append_tokens": 64, "output_tokens": 4, "reasoning_output_tokens": null, "timing_events": [{"event_type": "user_message", "timestamp": "2026-08-25T00:00:00Z"}, {"event_type": "tool_call", "timestamp": "2026-08-25T00:00:02.010Z"}], "tools": [{"tool_name": "Bash", "tool_wall_latency_ms": 12}]}
        {"provider": "claude", "session_id": "s1", "round_index": 1, "model": "m", "input_tokens_total": 128, "prefix_tokens": 64, "newly_append_tokens": 64, "output_tokens": 5, "timing_events": [{"event_type": "tool_result", "timestamp": "2026-08-25T00:00:03Z"}, {"event_type": "text", "timestamp": "2026-08-25T00:00:05Z"}], "tools": []}
        {"provider": "codex", "session_id": "s1", "round_index": 0, "model": "m", "input_tokens_total": 40, "prefix_tokens": 0, "newly_append_tokens": 40, "output_tokens": 5, "timing_events": [{"event_type": "user_message", "timestamp": "2026-08-25T00:00:03Z"}], "tools": []}
        """);
    add(
        TraceFormat.SESSION_ROUNDS,
        3,
        "0,0,|64",
        "s1,|1000",
        """
        session_id,arrival_time,round_idx,prefix_len,input_len,output_len,tool_wait_after_ms
        s1,1000,0,0,64,4,277
        s1,1000,1,68,50,9,0
        s2,1250.5,0,0,48,7,0
        """);
    add(
        TraceFormat.AZURE,
        3,
        ",|4808",
        "\n|2023-11-16 18:17:03.9799600",
        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
            + "2023-11-16 18:17:04.0319600,3180,8\r\n2023-11-16 18:17:04.0319600,110,27");
    add(
        TraceFormat.BURSTGPT,
        3,
        ",|906",
        "\n|19440110.0",
        """
        Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
        19440110.0,1722ac82,43,GPT-4,906,446,1352,Conversation log
        19440161.0,1722ac82,2,ChatGPT,1400,29,1429,Conversation log
        19440192.0,,8,GPT-4,1779,123,1902,API log
        """);
    add(
        TraceFormat.RAGPULSE,
        3,
        "\"input_length\": |3112",
        "\"timestamp\": |\"82\"",
        """
        {"timestamp": "82", "input_length": 3112, "output_length": 192, "hash_ids": {"sys_prompt": [8302, 14332], "passages_ids": [1], "history": [], "web_search": [], "user_input": [5]}, "session_id": "1757476916095-a"}
        {"timestamp": "122", "input_length": 3500, "output_length": 19, "hash_ids": {"sys_prompt": [8302], "user_input": [6]}, "session_id": "1757476916095-a"}
        {"timestamp": "122", "input_length": 900, "output_length": 1, "hash_ids": {"sys_prompt": [8302], "user_input": [7]}, "session_id": "b"}

        """);
    add(
        TraceFormat.AIPERF,
        2,
        "\"input_sequence_length\": {\"value\": |550",
        "\"request_start_ns\": |1759813207532900363",
        """
        {"metadata": {"session_num": 45, "x_request_id": "7609a2e7", "x_correlation_id": "32ee4f33", "conversation_id": "77aa5b0e", "turn_index": 0, "request_start_ns": 1759813207532900363, "request_end_ns": 1759813207838764604, "worker_id": "worker_1", "benchmark_phase": "profiling", "was_cancelled": false}, "metrics": {"input_sequence_length": {"value": 550, "unit": "tokens"}, "time_to_first_token": {"value": 255.88656799999998, "unit": "ms"}, "request_latency": {"value": 297.5, "unit": "ms"}, "output_sequence_length": {"value": 9, "unit": "tokens"}}, "error": null}
        {"metadata": {"session_num": 45, "x_request_id": "7609a2e8", "x_correlation_id": "32ee4f33", "conversation_id": "77aa5b0e", "turn_index": 1, "request_start_ns": 1759813208000000000, "request_end_ns": 1759813208838764604, "worker_id": "worker_1", "benchmark_phase": "profiling", "was_cancelled": false}, "metrics": {"input_sequence_length": {"value": 600, "unit": "tokens"}, "output_token_count": {"value": 9, "unit": "tokens"}}, "error": null}
        """);
    add(
        TraceFormat.AIPERF_INPUTS,
        3,
        "\"max_completion_tokens\": |64",
        "",
        """
        {"data": [{"session_id": "a5cdb1fe", "payloads": [{"messages": [{"role": "user", "content": "What holds up the sky, and who has ever seen it, from the top of which hill, and when?"}], "max_completion_tokens": 64}, {"messages": [{"role": "user", "content": "What holds up the sky, and who has ever seen it, from the top of which hill, and when?"}, {"role": "assistant", "content": "Nothing."}], "max_completion_tokens": 10}]}, {"session_id": "b", "payloads": [{"prompt": "Hello", "max_tokens": 3}]}]}
        """);
    add(
        TraceFormat.BLIS,
        3,
        "true,|100",
        "true,100,50,100,0,0,0,0.0,,0,0,|1000000",
        """
        request_id,client_id,tenant_id,slo_class,session_id,round_index,prefix_group,prefix_length,streaming,input_tokens,output_tokens,text_tokens,image_tokens,audio_tokens,video_tokens,reason_ratio,model,deadline_us,server_input_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,num_chunks,status,error_message,finish_reason
        0,c1,t1,standard,s1,0,g,32,true,100,50,100,0,0,0,0.0,,0,0,1000000,1000500,1500000,2000000,10,ok,,stop
        1,c1,t1,standard,s1,1,g,32,true,130,40,130,0,0,0,0.0,,0,0,2500000,2500000,2600000,2700000,10,ok,,stop
        2,c2,t1,standard,s2,0,,0,true,60,15,60,0,0,0,0.0,,0,61,500000,500000,0,0,0,timeout,,
        """);
    add(
        TraceFormat.BENCHMARK,
        2,
        "\"input_lens\": [|100",
        "\"start_times\": [|10.0",
        """
        {"date": "20260102-030405", "backend": "vllm", "model_id": "m", "completed": 2, "input_lens": [100, 200], "output_lens": [3, 2], "ttfts": [0.1, 0.2], "itls": [[0.05, 0.07], [0.1]], "start_times": [10.0, 11.5], "generated_texts": ["a", "b"], "errors": ["", ""]}
        """);
    add(
        TraceFormat.VIDUR,
        3,
        "\n0.5,|40",
        "\n|0.5",
        """
        arrived_at,num_prefill_tokens,num_decode_tokens,block_hash_ids,block_size,session_id
        0.5,40,7,"[1, 2, 3]",16,s
        0.75,64,3,"[1, 2, 4, 5]",16,s
        0.75,20,3,"[9]",16,
        """);
    add(
        TraceFormat.SPANS,
        2,
        "\"gen_ai.usage.input_tokens\": |120",
        "\"start_time\": |\"2026-01-31T10:00:00.5Z\"",
        """
        {"name": "invoke_agent a", "context": {"trace_id": "t1", "span_id": "s0"}, "start_time": "2026-01-31T10:00:00Z", "end_time": "2026-01-31T10:00:09Z", "attributes": {"gen_ai.operation.name": "invoke_agent"}}
        {"name": "chat m", "context": {"trace_id": "t1", "span_id": "s1"}, "start_time": "2026-01-31T10:00:00.5Z", "end_time": "2026-01-31T10:00:02.5Z", "status": {"status_code": "UNSET"}, "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 33, "gen_ai.response.finish_reasons": ["tool_calls"]}}
        {"name": "execute_tool search", "context": {"trace_id": "t1", "span_id": "s2"}, "start_time": "2026-01-31T10:00:02.6Z", "end_time": "2026-01-31T10:00:03Z", "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search"}}
        {"name": "chat m", "context": {"trace_id": "t1", "span_id": "s3"}, "start_time": "2026-01-31T10:00:03.5Z", "end_time": "2026-01-31T10:00:04Z", "attributes": {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 200, "gen_ai.usage.output_tokens": 3}}
        """);
    add(
        TraceFormat.MAPPED,
        3,
        "a,10.5,|120",
        "a,|10.5",
        """
        user,ts,prompt_tokens,completion_tokens,unused
        a,10.5,120,7,x
        a,12,200,3,y
        ,12,50,1,z
        """);
  }

  private FormatSamples() {}

  private static void add(
      TraceFormat format, int requests, String input, String time, String text) {
    SAMPLES.put(format, new Sample(text, requests, input, time));
  }

  /** The sample of a format that is text. */
  static Sample of(TraceFormat format) {
    Sample sample = SAMPLES.get(format);
    if (sample == null) {
      throw new AssertionError("no sample of " + format + ": add one to FormatSamples");
    }
    return sample;
  }

  /** Defaults, and what must be said to read the format's sample. */
  static TraceOptions options(TraceFormat format) {
    return format == TraceFormat.MAPPED
        ? TraceOptions.defaults()
            .withColumns(
                ColumnMapping.parse(
                    "session=user,timestamp=ts:s,input=prompt_tokens,output=completion_tokens"))
        : TraceOptions.defaults();
  }

  static Trace read(TraceFormat format, Path folder) {
    return read(format, of(format).text().getBytes(UTF_8), folder);
  }

  static Trace read(TraceFormat format, byte[] content, Path folder) {
    try {
      Path file = folder.resolve("sample");
      Files.write(file, content);
      return TraceReaders.read(List.of(file), options(format));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
