package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A gzip file is read whole or not at all. */
class GzipMembersTest {
  private static final String ROW =
      "{\"timestamp\": 0, \"input_length\": 700, \"output_length\": 9, \"hash_ids\": [1, 2]}\n";

  private static final byte[] MEMBER = TraceText.gzip(ROW);

  @Test
  void membersFollowEachOther() throws IOException {
    assertThat(requests(joined(MEMBER, MEMBER))).isEqualTo(2);
    assertThat(requests(joined(MEMBER, MEMBER, new byte[700]))).isEqualTo(2);
    // a buffer of 7 bytes cuts headers and trailers
    byte[] three = joined(MEMBER, TraceText.gzip(""), MEMBER);
    try (InputStream in = new GzipMembers(new ByteArrayInputStream(three), 7)) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(ROW + ROW);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void optionalPartsOfAHeaderAreSkipped() throws IOException {
    // extra (2 bytes), name "n", comment "c", header CRC (2 bytes, not checked)
    byte[] header = {
      0x1f, (byte) 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 'n', 0, 'c', 0, 5, 5
    };
    byte[] body = Arrays.copyOfRange(MEMBER, 10, MEMBER.length);
    assertThat(requests(joined(MEMBER, header, body))).isEqualTo(2);
  }

  @Test
  void aDamagedMemberAfterTheFirstIsAnError() {
    byte[] method = MEMBER.clone();
    method[2] = 9;
    assertDamaged(joined(MEMBER, method), "Unsupported compression method");
    byte[] magic = MEMBER.clone();
    magic[1] = (byte) 0x8c;
    assertDamaged(joined(MEMBER, magic), "Not in GZIP format");
    assertDamaged(joined(MEMBER, Arrays.copyOf(MEMBER, 15)), "Unexpected end of ZLIB input stream");
    assertDamaged(joined(MEMBER, Arrays.copyOf(MEMBER, 5)), "its header is cut off");
    assertDamaged(joined(MEMBER, "garbage".getBytes(UTF_8)), "Not in GZIP format");
    assertDamaged(joined(MEMBER, new byte[3], MEMBER), "Not in GZIP format after zero padding");
    byte[] flags = MEMBER.clone();
    flags[3] = (byte) 0x80;
    assertDamaged(joined(MEMBER, flags), "Reserved header flags are set");
  }

  @Test
  void aDamagedOrMissingTrailerIsAnError() {
    for (int cut = 1; cut <= 8; cut++) {
      assertDamaged(Arrays.copyOf(MEMBER, MEMBER.length - cut), "its trailer is cut off");
    }
    for (int back : new int[] {1, 8}) {
      byte[] damaged = MEMBER.clone();
      damaged[damaged.length - back] ^= 1;
      assertDamaged(damaged, "Corrupt GZIP trailer");
    }
  }

  private static void assertDamaged(byte[] file, String why) {
    assertThatThrownBy(() -> requests(file))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            "trace.jsonl: found damaged or truncated gzip data (%s), expected a complete file",
            why);
  }

  private static int requests(byte[] file) {
    return TraceText.readBytes(TraceOptions.defaults(), file).requestCount();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
