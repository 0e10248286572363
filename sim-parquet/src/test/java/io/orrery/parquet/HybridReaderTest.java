package io.orrery.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HybridReaderTest {
  @Test
  void runs_are_repeated_or_packed() {
    // 10 << 1 = 20: ten times the number that follows, 4, in one byte since it has 3 bits.
    // 1 << 1 | 1 = 3: one group of eight, 0 to 7 in 3 bits each, lowest first:
    //   111 110 101 100 011 010 001 000 = 0xFAC688, lowest byte first.
    byte[] bytes = {20, 4, 3, (byte) 0x88, (byte) 0xC6, (byte) 0xFA};
    HybridReader reader = new HybridReader(bytes, 0, bytes.length, 3);
    for (int i = 0; i < 10; i++) {
      assertThat(reader.readInteger()).isEqualTo(4);
    }
    for (int i = 0; i < 8; i++) {
      assertThat(reader.readInteger()).isEqualTo(i);
    }
    assertThatThrownBy(reader::readInteger).hasMessage("runs that break off");
  }

  @Test
  void a_run_may_claim_what_it_likes_without_costing_memory() {
    // 2^31 - 1 groups of eight numbers of 32 bits, and four bytes of them.
    byte[] bytes = {-1, -1, -1, -1, 15, 1, 0, 0, 0};
    HybridReader reader = new HybridReader(bytes, 0, bytes.length, 32);
    assertThat(reader.readInteger()).isEqualTo(1);
    for (int i = 1; i < 8; i++) {
      assertThat(reader.readInteger()).isZero();
    }
    assertThatThrownBy(reader::readInteger).hasMessage("runs that break off");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 16, 17, 24, 31, 32})
  void it_reads_what_parquets_own_encoder_writes(int width) throws IOException {
    SplittableRandom random = new SplittableRandom(width);
    RunLengthBitPackingHybridEncoder encoder =
        new RunLengthBitPackingHybridEncoder(width, 64, 1 << 16, new HeapByteBufferAllocator());
    int[] numbers = new int[10_000];
    int number = 0;
    for (int i = 0; i < numbers.length; i++) {
      if (random.nextInt(i / 1_000 + 1) == 0) {
        number = (int) (random.nextLong() & ((1L << width) - 1));
      }
      numbers[i] = number;
      encoder.writeInt(number);
    }
    byte[] bytes = encoder.toBytes().toByteArray();
    HybridReader reader = new HybridReader(bytes, 0, bytes.length, width);
    for (int expected : numbers) {
      assertThat(reader.readInteger()).isEqualTo(expected);
    }
  }
}
