package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KernelFileTest {
  private static KernelFile read(String text) {
    return KernelFile.read(
        "some.txt", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whatIsWrittenIsRead() {
    String text =
        """
        law gemm bfloat16 2.494 0.7452 1200
        error gemm bfloat16 law 0.07 0.206 21640
        knots gemm/bfloat16/1024/2048 1:3.21 8:12.5 4096:1234
        """;
    KernelFile file = read("# a remark\n" + text);
    assertThat(file.laws.get("gemm bfloat16")).containsExactly(2.494, 0.7452, 1200);
    assertThat(file.errors.get("gemm bfloat16 law")).containsExactly(0.07, 0.206, 21640);
    assertThat(file.knots.get("gemm/bfloat16/1024/2048").get(1)).containsExactly(8, 12.5);
    assertThat(file.text()).isEqualTo(text);
  }

  @Test
  void numbersAreReadAsTheLibraryReadsThem() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      String text = Long.toString(random.nextLong(1L << random.nextInt(1, 62)));
      int point = random.nextInt(text.length() + 1);
      String number = i % 3 == 0 ? text : text.substring(0, point) + "." + text.substring(point);
      if (!number.equals(".")) {
        assertThat(KernelFile.number("=" + number + ";", 1, 1 + number.length()))
            .as(number)
            .isEqualTo(Double.parseDouble(number));
      }
    }
    assertThat(KernelFile.number("1e-3", 0, 4)).isEqualTo(0.001);
    for (String none : List.of("", ".", "1.2.3", "x", "1,5")) {
      assertThatThrownBy(() -> KernelFile.number(none, 0, none.length()))
          .isInstanceOf(NumberFormatException.class);
    }
  }

  @Test
  void fourDigitsAreKept() {
    assertThat(KernelFile.rounded(0.000123456)).isEqualTo("0.0001235");
    assertThat(KernelFile.rounded(12.3456)).isEqualTo("12.35");
    assertThat(KernelFile.rounded(123456.7)).isEqualTo("123457");
    assertThat(KernelFile.rounded(0.25)).isEqualTo("0.25");
  }

  @Test
  void aWrongLineIsNamed() {
    assertThatThrownBy(() -> read("law gemm bf16 1\nnots a 1:2\n"))
        .hasMessage("some.txt:2: expected law, error or knots");
    assertThatThrownBy(() -> read("knots gemm/bfloat16/1/2 1:x\n"))
        .hasMessageStartingWith("some.txt:1: ");
  }
}
