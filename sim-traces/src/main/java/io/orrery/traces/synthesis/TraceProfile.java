package io.orrery.traces.synthesis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trace is like, as far as traces can be drawn from it: distributions, no request.
 *
 * @param version of this structure
 * @param source what it was fitted to, and under which licence that is
 * @param blockSize tokens per block
 * @param blocksKnown whether prompts have block identities
 * @param stateless whether each request is a session: those that continue another's prompt are
 *     drawn like turns, and written like sessions
 * @param arrivals when root sessions start, or requests where each is a session; null without a
 *     common clock
 * @param root what root sessions are like
 * @param fanOut the sessions that they start; null where there is none
 */
public record TraceProfile(
    int version,
    String source,
    int blockSize,
    boolean blocksKnown,
    boolean stateless,
    @Nullable ArrivalPattern arrivals,
    SessionShape root,
    @Nullable FanOut fanOut) {
  /** The version that is written. */
  public static final int VERSION = 2;

  /** Profiles that come with Orrery. */
  public static final List<String> NAMES = List.of("claude-code", "conversation", "chat");

  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(SerializationFeature.INDENT_OUTPUT);

  public TraceProfile {
    if (version != VERSION) {
      throw new IllegalArgumentException("version: found " + version + ", expected " + VERSION);
    }
    if (blockSize < 1) {
      throw new IllegalArgumentException("blockSize: found " + blockSize + ", expected at least 1");
    }
  }

  /** The profile as JSON. */
  public String toJson() {
    try {
      return MAPPER.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads what {@link #toJson} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static TraceProfile fromJson(String json) {
    try {
      JsonNode version = MAPPER.readTree(json).path("version");
      if (version.isInt() && version.intValue() != VERSION) {
        throw new IllegalArgumentException(
            "version: found "
                + version
                + ", expected "
                + VERSION
                + ", as --save-profile writes now");
      }
      TraceProfile profile = MAPPER.readValue(json, TraceProfile.class);
      if (profile == null) {
        throw new IllegalArgumentException("found nothing, expected a profile of --save-profile");
      }
      WholeRecord.require(profile);
      return profile;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "found no profile (" + e.getOriginalMessage() + "), expected one of --save-profile");
    }
  }

  /** One of {@link #NAMES}. */
  public static TraceProfile named(String name) {
    try (InputStream in = TraceProfile.class.getResourceAsStream(name + ".profile.json")) {
      if (in == null) {
        throw new IllegalStateException("the program's own profile " + name + " is missing");
      }
      return fromJson(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
