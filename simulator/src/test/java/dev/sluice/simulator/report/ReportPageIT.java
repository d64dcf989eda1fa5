package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report in a real browser: it is drawn without an error, in every form that people see. */
final class ReportPageIT {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final List<String> CHARTS = List.of("usage", "depth", "waits", "fair", "gantt");

  @TempDir private static Path directory;

  private static Playwright playwright;
  private static Browser browser;
  private static Path page;

  @BeforeAll
  static void open() throws IOException {
    boolean installed = Files.isExecutable(CHROMIUM);
    if (System.getenv("SLUICE_REQUIRE_CHROMIUM") != null) {
      assertThat(installed).as("%s is required", CHROMIUM).isTrue();
    }
    assumeTrue(installed, CHROMIUM + " is not installed: apt-get install chromium");
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(CHROMIUM)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    var report =
        new Report(
            "A day of three teams",
            List.of("Two variants, one seed, a day of virtual time."),
            List.of(
                SampleRuns.run("", 240, Duration.ofHours(2)),
                SampleRuns.run("more quota for research", 240, Duration.ofMinutes(40))),
            List.of());
    page = Files.writeString(directory.resolve("report.html"), report.html());
  }

  @AfterAll
  static void close() {
    if (playwright != null) {
      playwright.close();
    }
  }

  private static Page open(Path file, int width, int height, ColorScheme scheme, List<String> log) {
    Page opened =
        browser.newPage(
            new Browser.NewPageOptions().setViewportSize(width, height).setColorScheme(scheme));
    opened.onConsoleMessage(message -> log.add(message.type() + ": " + message.text()));
    opened.onPageError(log::add);
    opened.onRequest(request -> log.add(request.url()));
    opened.navigate(file.toUri().toString());
    opened.waitForSelector("body[data-ready]");
    return opened;
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1400, 900", "DARK, 1400, 900", "LIGHT, 390, 844", "DARK, 390, 844"})
  void pageIsDrawnWithoutAnErrorOrARequest(ColorScheme scheme, int width, int height)
      throws IOException {
    var log = new ArrayList<String>();
    try (Page opened = open(page, width, height, scheme, log)) {
      assertThat(log).as("only the page itself is read").containsExactly(page.toUri().toString());
      for (String chart : CHARTS) {
        assertThat(opened.locator("#" + chart + " canvas").count()).as(chart).isPositive();
      }
      assertThat(opened.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
      screenshot(opened, "%s-%d.png".formatted(scheme, width));
    }
  }

  @Test
  void searchShowsTheJobsThatMatch() {
    try (Page opened = open(page, 1400, 900, ColorScheme.LIGHT, new ArrayList<>())) {
      opened.fill("#search", "job-17 ada");

      assertThat(opened.textContent("#gantt-note")).startsWith("5 of 240 jobs");

      opened.fill("#search", "nothing of that name");
      assertThat(opened.textContent("#gantt")).contains("Nothing to show");
    }
  }

  @Test
  void chosenVariantIsDrawn() {
    try (Page opened = open(page, 1400, 900, ColorScheme.LIGHT, new ArrayList<>())) {
      Object before = opened.evaluate("charts.get('depth').getDataURL()");
      opened.selectOption("#variant", "more quota for research");

      assertThat(opened.evaluate("charts.get('depth').getDataURL()")).isNotEqualTo(before);
      assertThat(opened.textContent("#sentences")).contains("The median wait is");
    }
  }

  @Test
  void reportWithoutJobsSaysSo() throws IOException {
    var empty =
        new Report("Nothing", List.of(), List.of(SampleRuns.run("", 0, Duration.ZERO)), List.of());
    Path file = Files.writeString(directory.resolve("empty.html"), empty.html());
    var log = new ArrayList<String>();
    try (Page opened = open(file, 1400, 900, ColorScheme.LIGHT, log)) {
      assertThat(opened.textContent("#depth")).contains("Nothing to show");
      assertThat(log).hasSize(1);
    }
  }

  /** For people who change the page: {@code -Dscreenshots=DIR} keeps what the tests saw. */
  private static void screenshot(Page opened, String name) throws IOException {
    String folder = System.getProperty("screenshots", "");
    if (!folder.isEmpty()) {
      Path file = Files.createDirectories(Path.of(folder)).resolve(name);
      opened.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
    }
  }
}
