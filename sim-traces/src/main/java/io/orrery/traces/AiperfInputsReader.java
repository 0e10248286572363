package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

/**
 * AIPerf's {@code inputs.json}: {@code {"data": [{"session_id": ..., "payloads": [{"messages":
 * [...], "max_completion_tokens": 64}]}]}}. It holds texts and no token counts, so these are
 * estimated; the texts themselves name the blocks, and nothing of them is kept.
 *
 * @see <a href="https://github.com/ai-dynamo/aiperf">AIPerf, working with profile exports</a>
 */
final class AiperfInputsReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from the texts",
          "none",
          "only full blocks have an identity",
          "each session starts at 0; sessions have no clock in common",
          "payloads of a session in file order, each after the completion of the one before it");

  /** A usual figure for English text; there is no tokenizer here. */
  private static final int CHARACTERS_PER_TOKEN = 4;

  private final TraceAssembler assembler;
  private final NamedPrompts prompts;
  private final HashRuns hashes = new HashRuns();
  private final TextBlocks text;
  private long output;

  AiperfInputsReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    prompts = new NamedPrompts(assembler, "messages");
    int blockSize = options.blockSize() > 0 ? options.blockSize() : GrownPrompts.BLOCK_SIZE;
    assembler.blockSize(blockSize);
    assembler.sharedClock(false);
    text = new TextBlocks((long) blockSize * CHARACTERS_PER_TOKEN, hashes);
  }

  static boolean recognises(FirstObject object) {
    return object.holdsArray("data");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      for (String field; (field = rows.nextField()) != null; ) {
        if (field.equals("data") && rows.enter(field, JsonToken.START_ARRAY)) {
          while (rows.nextObject(field)) {
            readSession(rows);
          }
        } else if (!field.equals("data")) {
          rows.skip();
        }
      }
    }
  }

  private void readSession(JsonRows rows) {
    String id = null;
    int session = -1;
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("session_id")) {
        id = rows.idOrNull(field);
        if (id != null && assembler.sessions.find(id) >= 0) {
          throw rows.wrong(field, '"' + id + '"', "an id that no other session has");
        }
      } else if (field.equals("payloads") && rows.enter(field, JsonToken.START_ARRAY)) {
        while (rows.nextObject(field)) {
          readPayload(rows);
          session = session >= 0 ? session : open(rows, id);
          add(rows, session);
        }
      } else if (!field.equals("payloads")) {
        rows.skip();
      }
    }
  }

  private int open(JsonRows rows, @Nullable String id) {
    return id == null ? assembler.session(rows.line()) : assembler.session(id, rows.line());
  }

  private void readPayload(JsonRows rows) {
    hashes.clear();
    text.start();
    output = RequestDraft.NONE;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "messages", "prompt", "input", "text", "tools" -> readText(rows);
        case "max_tokens", "max_completion_tokens", "max_output_tokens" ->
            output = rows.wholeOr(field, 1, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
        default -> rows.skip();
      }
    }
    if (text.length() == 0) {
      throw rows.wrong("messages", "no text", "a prompt");
    }
    if (output == RequestDraft.NONE) {
      throw rows.wrong("max_tokens", "nothing", "max_tokens or max_completion_tokens");
    }
    if (text.length() / CHARACTERS_PER_TOKEN > TraceAssembler.MAX_TOKENS) {
      throw rows.wrong("messages", "a prompt of " + text.length() + " characters", "less");
    }
  }

  /** Takes in all texts of a value, in order. */
  private void readText(JsonRows rows) {
    int depth = 0;
    do {
      JsonToken token = rows.beginValue();
      if (token == null) {
        return;
      }
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token == JsonToken.VALUE_STRING) {
        text.add(rows.currentText());
      }
    } while (depth > 0);
  }

  private void add(JsonRows rows, int session) {
    int input =
        (int) Math.max(1, (text.length() + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN);
    int r = assembler.request(session, rows.line());
    assembler.input(r, input);
    assembler.output(r, (int) output);
    int before = assembler.previousInSession(r);
    if (before < 0) {
      assembler.arrival(r, 0);
    } else {
      assembler.edge(r, before, EdgeTrigger.COMPLETION, 0);
    }
    prompts.add(r, hashes, null);
    assembler.count("token counts estimated from texts");
  }

  @Override
  public void finish() {
    assembler.note(
        "Token counts are estimated at "
            + CHARACTERS_PER_TOKEN
            + " characters of text a token; outputs are as long as they may be.");
  }
}
