package dev.sluice.cli;

import dev.sluice.model.ApiException;
import dev.sluice.simulator.UnknownKindException;
import dev.sluice.simulator.run.RefusedStep;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.VariantRuns;
import dev.sluice.simulator.scenario.Scenario;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** A scenario file of a user, with the traces that it names. */
record ScenarioFile(Path path, String text, Scenario scenario) {

  static ScenarioFile read(Path path) {
    String text = TextFile.scenario(path, read -> read);
    return new ScenarioFile(
        path,
        text,
        TextFile.scenario(path, read -> Scenario.parse(read, file -> trace(path, file))));
  }

  /** The hash of its text, in hexadecimal digits. */
  String sha256() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every JDK has SHA-256", missing);
    }
  }

  private static String trace(Path scenario, String file) {
    Path folder = Optional.ofNullable(scenario.toAbsolutePath().getParent()).orElse(scenario);
    return TextFile.trace(folder.resolve(file));
  }

  /**
   * Runs all variants with all seeds; what the API refuses at the start is an error of the user.
   */
  List<VariantRuns> run(long seed, RunOptions options) {
    try {
      return VariantRuns.all(scenario, file -> trace(path, file), seed, options);
    } catch (RefusedStep refused) {
      throw UserError.usage(
          "%s: line %d: %s".formatted(path, refused.line(text), refused.getMessage()));
    } catch (ApiException | UnknownKindException refused) {
      throw UserError.usage(path + ": " + refused.getMessage());
    }
  }
}
