package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * AIPerf's {@code inputs.json}: {@code {"data": [{"session_id": ..., "payloads": [{"messages":
 * [...], "max_completion_tokens": 64}]}]}}. It holds texts and no token counts, so these are
 * estimated; the texts themselves name the blocks, and nothing of them is kept.
 *
 * <p>AIPerf writes each turn alone and sends it behind what was said before; only payloads that it
 * was given as such are whole prompts. Which of the two a file holds is told by whether any payload
 * begins with the one before it.
 *
 * @see <a href="https://github.com/ai-dynamo/aiperf">AIPerf, working with profile exports</a>
 */
final class AiperfInputsReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "16, or as asked for: blocks are cut from the texts, those of increments behind the first"
              + " from the summed prompt",
          "none",
          "only full blocks have an identity",
          "each session starts at 0; sessions have no clock in common",
          "payloads of a session in file order, each after the completion of the one before it; whole"
              + " prompts where some begin with the one before them, else increments: a prompt is all"
              + " before it, outputs included, and this payload");

  /** A usual figure for English text; there is no tokenizer here. */
  private static final int CHARACTERS_PER_TOKEN = 4;

  /** What these hold is no text. */
  private static final Set<String> MEDIA =
      Set.of("image_url", "input_audio", "audio_url", "video_url");

  private final TraceAssembler assembler;
  private final NamedPrompts prompts;
  private final GrownPrompts grown;

  /** The payloads of the rows that have been read to their ends. */
  private final List<Payload> held = new ArrayList<>();

  private final Set<String> ids = new HashSet<>();
  private boolean anyWhole;

  // texts of the payload being read
  private final StringBuilder toolText = new StringBuilder();
  private final StringBuilder promptText = new StringBuilder();

  /** A payload, held back until all are known. */
  private static final class Payload {
    /** Its session's id, null for a session without one. */
    @Nullable String session;

    /** Whether it is its session's first. */
    boolean first;

    int line;
    int file;
    int input;
    int output;
    boolean media;
    final HashRuns hashes = new HashRuns();
  }

  AiperfInputsReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    prompts = new NamedPrompts(assembler, "messages");
    grown = new GrownPrompts(assembler, options);
    assembler.sharedClock(false);
  }

  static boolean recognises(FirstObject object) {
    return object.listsObjectsWith("session_id", "payloads");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      List<Payload> ofRow = new ArrayList<>();
      Set<String> idsOfRow = new HashSet<>();
      for (String field; (field = rows.nextField()) != null; ) {
        if (field.equals("data") && rows.enter(field, JsonToken.START_ARRAY)) {
          while (rows.nextObject(field)) {
            readSession(rows, ofRow, idsOfRow);
          }
        } else if (!field.equals("data")) {
          rows.skip();
        }
      }
      held.addAll(ofRow);
      ids.addAll(idsOfRow);
    }
  }

  private void readSession(JsonRows rows, List<Payload> payloads, Set<String> idsOfRow) {
    String id = null;
    boolean listed = false;
    List<Payload> own = new ArrayList<>();
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("session_id")) {
        id = rows.idOrNull(field);
        if (id != null && (ids.contains(id) || !idsOfRow.add(id))) {
          throw rows.wrong(field, '"' + id + '"', "an id that no other session has");
        }
      } else if (field.equals("payloads") && rows.enter(field, JsonToken.START_ARRAY)) {
        listed = true;
        readPayloads(rows, own);
      } else if (!field.equals("payloads")) {
        rows.skip();
      }
    }
    if (!listed) {
      throw rows.wrong("payloads", "nothing", "this list in every session of AIPerf's inputs");
    }
    if (own.isEmpty()) {
      assembler.count("sessions without payloads, left out");
    }
    for (Payload payload : own) {
      payload.session = id;
    }
    payloads.addAll(own);
  }

  private void readPayloads(JsonRows rows, List<Payload> payloads) {
    String before = null;
    while (rows.nextObject("payloads")) {
      payloads.add(readPayload(rows, before == null));
      String text = promptText.toString();
      anyWhole |= before != null && text.startsWith(before);
      before = text;
    }
  }

  private Payload readPayload(JsonRows rows, boolean first) {
    toolText.setLength(0);
    promptText.setLength(0);
    Payload payload = new Payload();
    payload.first = first;
    payload.output = RequestDraft.NONE;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "tools" -> payload.media |= readText(rows, toolText);
        case "messages", "prompt", "input", "text" -> payload.media |= readText(rows, promptText);
        case "max_tokens", "max_completion_tokens", "max_output_tokens" ->
            payload.output =
                (int) rows.wholeOr(field, 1, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
        default -> rows.skip();
      }
    }
    if (promptText.isEmpty()) {
      throw rows.wrong("messages", "no text", "a prompt");
    }
    if (payload.output == RequestDraft.NONE) {
      throw rows.wrong("max_tokens", "nothing", "max_tokens or max_completion_tokens");
    }
    payload.line = rows.line();
    payload.file = assembler.lastFile();
    cut(payload);
    return payload;
  }

  /** Takes in all texts of a value, in order; returns whether there was something else. */
  private static boolean readText(JsonRows rows, StringBuilder into) {
    boolean media = false;
    int depth = 0;
    do {
      JsonToken token = rows.beginValue();
      if (token == null) {
        return media;
      }
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token == JsonToken.FIELD_NAME && MEDIA.contains(rows.currentText())) {
        media = true;
        rows.skip();
      } else if (token == JsonToken.VALUE_STRING) {
        into.append(rows.currentText());
      }
    } while (depth > 0);
    return media;
  }

  /** Tools stand before what is said, as chat templates have it. */
  private void cut(Payload payload) {
    long characters = (long) toolText.length() + promptText.length();
    payload.input = (int) ((characters - 1) / CHARACTERS_PER_TOKEN + 1);
    TextBlocks text =
        new TextBlocks((long) assembler.blockSize() * CHARACTERS_PER_TOKEN, payload.hashes);
    text.start();
    text.add(toolText);
    text.add(promptText);
  }

  @Override
  public int held() {
    return held.size();
  }

  @Override
  public void finish() {
    boolean increments = !anyWhole && held.stream().anyMatch(payload -> !payload.first);
    int session = -1;
    int before = -1;
    for (Payload payload : held) {
      if (payload.first) {
        session = open(payload);
        before = -1;
      }
      before = add(payload, session, before, increments);
    }
    assembler.note(
        "Token counts are estimated at "
            + CHARACTERS_PER_TOKEN
            + " characters of text a token; outputs are as long as they may be.");
    if (increments) {
      assembler.note(
          "No payload begins with the one before it in its session: they are taken for increments, as"
              + " AIPerf writes turns, and summed up, outputs included.");
    }
  }

  private int open(Payload payload) {
    String id = payload.session;
    return id == null
        ? assembler.session(payload.line, payload.file)
        : assembler.session(id, payload.line, payload.file);
  }

  private int add(Payload payload, int session, int before, boolean increments) {
    long context =
        increments && before >= 0
            ? (long) assembler.input.get(before) + assembler.output.get(before)
            : 0;
    long input = context + payload.input;
    if (input > TraceAssembler.MAX_TOKENS) {
      throw new TraceException(
          assembler.fileName(payload.file),
          payload.line,
          "payloads",
          input + " tokens with all before them",
          "at most " + TraceAssembler.MAX_TOKENS + " tokens");
    }
    int r = assembler.request(session, payload.line, payload.file);
    assembler.input(r, (int) input);
    assembler.output(r, payload.output);
    if (before < 0) {
      assembler.arrival(r, 0);
    } else {
      assembler.edge(r, before, EdgeTrigger.COMPLETION, 0);
    }
    if (context > 0) {
      assembler.countNote("turns whose prompt is summed up from increments");
      grown.add(r, before, context);
    } else {
      prompts.add(r, payload.hashes, null);
    }
    assembler.count("token counts estimated from texts");
    if (payload.media) {
      assembler.count("requests with images, sound or films, replayed by their texts alone");
    }
    return r;
  }
}
