package dev.sluice.store;

import static dev.sluice.store.Samples.PODS;
import static dev.sluice.store.Samples.add;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which directories are opened, and that the others are refused and left alone. */
@Timeout(60)
class StoreDirectoryTest {

  /** Damages the files of a healthy store. */
  interface Damage {
    void to(Path directory) throws IOException;
  }

  record Case(String name, Damage damage, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "a log without its database",
              d -> Files.delete(file(crashed(d, -1))),
              "holds no Sluice store"),
          new Case("an empty database", d -> Files.write(file(d), new byte[0]), "does not begin"),
          new Case(
              "a text for a database",
              d -> Files.writeString(file(d), "x".repeat(5000)),
              "does not begin"),
          new Case(
              "another program's database",
              d -> Directories.execute(d, "PRAGMA application_id = 7"),
              "does not begin"),
          new Case(
              "a later format",
              d -> Directories.execute(d, "PRAGMA user_version = 2"),
              "format 2, and this Sluice reads format 1"),
          new Case("the second half is missing", d -> truncate(d), "damaged"),
          new Case("a page of noise", d -> overwrite(d, 2 * SqliteFile.PAGE_BYTES), "damaged"),
          new Case(
              "a letter changed in an object",
              d -> replace(d, "\"value\":\"7\"", "\"value\":\"8\""),
              "pods a/x7 at revision 8 is not what was written"),
          new Case(
              "an object that is no JSON",
              d ->
                  Directories.execute(
                      d,
                      "UPDATE change SET object = CAST('{' AS BLOB), checksum = %d WHERE revision = 8"
                          .formatted(
                              Checksum.of(8, pod("a", "x7"), Encoded.ofBytes(new byte[] {'{'})))),
              "is not a JSON object"),
          new Case(
              "a missing revision",
              d -> Directories.execute(d, "DELETE FROM change WHERE revision = 8"),
              "revision 8 is missing"),
          new Case(
              "a deletion of nothing",
              d ->
                  Directories.execute(
                      d,
                      "INSERT INTO change VALUES (102, '', 'v1', 'Pod', 'pods', 1, 'a', 'nope', NULL, %d)"
                          .formatted(Checksum.of(102, pod("a", "nope"), Encoded.NOTHING))),
              "deletes pods a/nope"),
          new Case(
              "another compaction revision",
              d -> Directories.execute(d, "UPDATE compaction SET revision = 50"),
              "compacted"),
          new Case(
              "no compaction revision",
              d -> Directories.execute(d, "DELETE FROM compaction"),
              "compacted"),
          new Case(
              "a missing table", d -> Directories.execute(d, "DROP TABLE change"), "no such table"),
          new Case(
              "a database and its log, both overwritten behind their beginnings",
              d -> {
                overwriteAfter(file(crashed(d, -1)), 4096);
                overwriteAfter(d.resolve("sluice.db-wal"), 4096);
              },
              "SQLite says"),
          new Case("a log with a broken header", d -> crashed(d, 3), "lost writes"),
          new Case("a log broken in the middle", d -> crashed(d, 20_000), "lost writes"),
          new Case(
              "a broken database beside a log",
              d -> overwrite(crashed(d, -1), 2 * SqliteFile.PAGE_BYTES),
              "damaged"));

  @TempDir Path temporary;
  Path directory;

  @BeforeEach
  void makeHealthyStore() {
    directory = temporary.resolve("store");
    try (Store store = Stores.open(directory)) {
      fill(store);
    }
  }

  /** Revisions 1 to 101: a hundred objects and the deletion of the first. */
  private static void fill(Store store) {
    for (int i = 0; i < 100; i++) {
      add(store, pod("a", "x" + i), Integer.toString(i));
    }
    store.delete(pod("a", "x0"), 1);
  }

  private static Path file(Path directory) {
    return directory.resolve(StoreDirectory.FILE);
  }

  private static void truncate(Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(file(directory));
    Files.write(file(directory), Arrays.copyOf(bytes, bytes.length / 8192 * 4096));
  }

  private static void overwrite(Path directory, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file(directory));
    byte[] noise = new byte[4096];
    new Random(1).nextBytes(noise);
    System.arraycopy(noise, 0, bytes, offset, noise.length);
    Files.write(file(directory), bytes);
  }

  private static void replace(Path directory, String old, String changed) throws IOException {
    var latin = StandardCharsets.ISO_8859_1;
    String text = Files.readString(file(directory), latin);
    assertThat(text).contains(old);
    Files.writeString(file(directory), text.replace(old, changed), latin);
  }

  private static void overwriteAfter(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, offset, bytes.length, (byte) 0x55);
    Files.write(file, bytes);
  }

  /** Turns the store into one whose process was killed at 131, with a byte of its log flipped. */
  private static Path crashed(Path directory, int flipped) throws IOException {
    Path other = Directories.copy(directory, directory.resolveSibling("running"));
    try (Store store = Stores.open(other)) {
      for (int i = 0; i < 30; i++) {
        add(store, pod("a", "y" + i), "y");
      }
      for (String name : List.of("sluice.db", "sluice.db-wal")) {
        byte[] bytes = Files.readAllBytes(other.resolve(name));
        if (name.endsWith("-wal") && flipped >= 0) {
          bytes[flipped] ^= 1;
        }
        Files.write(directory.resolve(name), bytes);
      }
    }
    return directory;
  }

  @Test
  void everythingBelongsToTheOwnerAlone(@TempDir Path above) throws IOException {
    Path directory = above.resolve("data");
    Files.createDirectory(directory);
    try (var store = Stores.open(directory)) {
      add(store, pod("a", "secret"), "1");
    }
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), "secret");
    Path keys = Files.createDirectory(directory.resolve("pki"));
    for (Path path : List.of(directory, keys)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    for (Path path : List.of(kubeconfig, file(directory))) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    }

    try (var store = Stores.open(directory)) {
      add(store, pod("a", "another"), "2");

      assertThat(mode(directory)).isEqualTo("rwx------");
      try (var files = Files.list(directory)) {
        assertThat(files.toList())
            .extracting(path -> path.getFileName() + " " + mode(path))
            .contains("sluice.db-wal rw-------", "sluice.db-shm rw-------", "pki rwx------")
            .noneMatch(line -> line.contains("r--"));
      }
    }
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void aDamagedDirectoryIsRefusedAndLeftAlone(Case c) throws IOException {
    c.damage().to(directory);

    assertRefusedAndLeftAlone(directory, c.want());
    Files.deleteIfExists(directory.resolve(DirectoryLock.FILE));
    assertRefusedAndLeftAlone(directory, c.want());
  }

  private static void assertRefusedAndLeftAlone(Path refused, String want) {
    var before = Directories.contents(refused);
    assertThatThrownBy(() -> Stores.open(refused))
        .isInstanceOf(UnusableDirectoryException.class)
        .hasMessageStartingWith(refused.toString())
        .hasMessageContaining(want)
        .message()
        .containsAnyOf("name another", "name an empty");
    assertThat(Directories.contents(refused).equals(before)).as("nothing has changed").isTrue();
  }

  @Test
  void aForeignDirectoryIsRefusedAndLeftAlone() throws IOException {
    Path foreign = Files.createDirectory(temporary.resolve("foreign"));
    Files.writeString(foreign.resolve("thesis.tex"), "chapter one");

    assertRefusedAndLeftAlone(foreign, "is not empty and holds no Sluice store");
    assertRefusedAndLeftAlone(foreign.resolve("thesis.tex"), "is not a directory");
  }

  @Test
  void aMissingDirectoryIsMadeAndAnEmptyOneTaken() throws IOException {
    Path deep = temporary.resolve("a?b c%20/d#e");
    try (Store store = Stores.open(deep)) {
      add(store, pod("a", "x"), "1");
    }
    Path fresh = Files.createDirectories(temporary.resolve("volume"));
    Files.createDirectory(fresh.resolve("lost+found"));
    Files.writeString(fresh.resolve("sluice.db.new"), "what a crash left");

    Stores.open(fresh).close();
    try (Store store = Stores.open(deep)) {
      assertThat(store.snapshot().list(PODS)).hasSize(1);
    }
    assertThat(fresh.resolve("sluice.db.new")).doesNotExist();
  }

  @Test
  void aLogCutShortByACrashIsRead() throws IOException {
    Path log = crashed(directory, -1).resolve("sluice.db-wal");
    byte[] bytes = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(bytes, bytes.length - 1000));

    try (Store store = Stores.open(directory)) {
      assertThat(store.snapshot().revision()).isEqualTo(130);
      assertThat(store.snapshot().list(PODS)).hasSize(128);
    }
  }

  @Test
  void aRandomFlippedByteIsFoundOrHarmless() {
    Path running = temporary.resolve("running");
    try (Store store = Stores.open(running)) {
      fill(store);
      Seeds.run(
          150,
          seed -> {
            var random = new Random(seed);
            Path source = random.nextBoolean() ? directory : running;
            Path copy = Directories.copy(source, temporary.resolve("copy" + seed));
            flip(copy, random);
            assertSameOrRefused(copy, store.snapshot().list(PODS));
          });
    }
  }

  private static void flip(Path copy, Random random) {
    try {
      byte[] bytes = Files.readAllBytes(file(copy));
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file(copy), bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void assertSameOrRefused(Path copy, List<ApiObject> want) {
    var before = Directories.contents(copy);
    try (Store store = Stores.open(copy)) {
      assertThat(store.snapshot().list(PODS)).isEqualTo(want);
      assertThat(store.snapshot().revision()).isEqualTo(101);
    } catch (UnusableDirectoryException refused) {
      assertThat(Directories.contents(copy).equals(before)).as("nothing has changed").isTrue();
    }
  }

  @Test
  void anOpenDirectoryIsRefusedWhileItIsOpen() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
    String mine = "in use by another sluice (pid %d)".formatted(ProcessHandle.current().pid());
    try (Store store = Stores.open(directory)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> Stores.open(link))
            .isInstanceOf(UnusableDirectoryException.class)
            .hasMessageContaining(mine)
            .hasMessageContaining("stop that one first");
      }
      add(store, pod("a", "still writable"), "1");
    }
    Stores.open(link).close();
  }

  @Test
  void aWrongHistoryLimitIsRefusedBeforeAnythingIsLocked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Stores.open(directory, 0))
        .withMessageContaining("0 changes");
    Stores.open(directory).close();
  }
}
