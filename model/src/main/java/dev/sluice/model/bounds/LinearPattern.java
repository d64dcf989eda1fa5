package dev.sluice.model.bounds;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression of a user, in <a href="https://github.com/google/re2/wiki/Syntax">RE2's
 * syntax</a>, as everywhere in Kubernetes.
 *
 * <p>It takes time linear in the text, where Java's own expressions may take for ever for a pattern
 * such as {@code (a*)*b}. Its size is limited, and the steps of a match are charged to a meter.
 * Every pattern that a user can write is compiled here.
 *
 * <p>Threads: immutable, shared freely.
 */
public final class LinearPattern {
  /** The longest pattern. */
  public static final int MAX_LENGTH = 10_000;

  /** The most instructions, once repetitions are written out. */
  public static final int MAX_INSTRUCTIONS = 10_000;

  private static final int MAX_DEPTH = 200;
  private static final int INSTRUCTIONS_A_STEP = 100;
  private static final int CHARACTERS_A_CHARGE = 256;

  private final Pattern pattern;

  private LinearPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  public static LinearPattern compile(String pattern) {
    return compile(pattern, false, false);
  }

  /**
   * A pattern that an expression computes; compiling it is charged too.
   *
   * @throws IllegalArgumentException if it is too large or malformed, saying why
   */
  public static LinearPattern compile(String pattern, Meter meter) {
    meter.charge(1 + pattern.length());
    LinearPattern compiled = compile(pattern);
    meter.charge(compiled.instructions());
    return compiled;
  }

  /**
   * @throws IllegalArgumentException if it is too large or malformed, saying why
   */
  public static LinearPattern compile(String pattern, boolean ignoresCase, boolean dotMatchesAll) {
    checkSize(pattern);
    int flags = ignoresCase ? Pattern.CASE_INSENSITIVE : 0;
    flags |= dotMatchesAll ? Pattern.DOTALL : 0;
    try {
      return new LinearPattern(Pattern.compile(pattern, flags));
    } catch (PatternSyntaxException malformed) {
      throw new IllegalArgumentException(
          "must be a regular expression in RE2's syntax: " + malformed.getMessage(), malformed);
    }
  }

  private static void checkSize(String pattern) {
    if (pattern.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "must be a regular expression of at most %d characters".formatted(MAX_LENGTH));
    }
    PatternSize.Found size = PatternSize.of(pattern, MAX_INSTRUCTIONS);
    if (size.instructions() > MAX_INSTRUCTIONS) {
      throw new IllegalArgumentException(
          "must be a regular expression of at most %d instructions once repetitions are written out:"
                  .formatted(MAX_INSTRUCTIONS)
              + " limit the length of the text instead");
    }
    if (size.depth() > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "must be a regular expression with at most %d groups inside each other"
              .formatted(MAX_DEPTH));
    }
  }

  /** The number of instructions, which is also how much memory it takes. */
  public int instructions() {
    return pattern.programSize();
  }

  /**
   * Whether some part of a text matches.
   *
   * @throws ExceededException if that takes more steps than are left
   */
  public boolean find(String text, Meter meter) {
    return matcher(text, meter).find();
  }

  /** The parts of a text that match, from the left, up to a number of them. */
  public List<String> findAll(String text, long limit, Meter meter) {
    Matcher matcher = matcher(text, meter);
    var found = new ArrayList<String>();
    while (found.size() < limit && matcher.find()) {
      meter.charge(1);
      found.add(matcher.group());
    }
    return found;
  }

  private Matcher matcher(String text, Meter meter) {
    var metered = new MeteredText(text, meter, Math.max(1, pattern.programSize()));
    meter.charge(metered.cost(Math.min(text.length(), CHARACTERS_A_CHARGE)));
    return pattern.matcher(metered);
  }

  /** A text that charges for its characters as they are read, beyond the first few. */
  private static final class MeteredText implements CharSequence {
    private final String text;
    private final Meter meter;
    private final long instructions;
    private int read;

    MeteredText(String text, Meter meter, long instructions) {
      this.text = text;
      this.meter = meter;
      this.instructions = instructions;
    }

    @Override
    public char charAt(int index) {
      if (++read == CHARACTERS_A_CHARGE) {
        read = 0;
        meter.charge(cost(CHARACTERS_A_CHARGE));
      }
      return text.charAt(index);
    }

    private long cost(int characters) {
      return 1 + characters * instructions / INSTRUCTIONS_A_STEP;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
