package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * A process and its streams, which may be those of a terminal. Threads: safe; several may write its
 * input, each piece as a whole.
 */
final class InteractiveProcess implements AutoCloseable {

  /** Prepares a process, which finds its terminal at a path if it is to have one. */
  interface Preparation {
    ProcessBuilder prepare(String terminal) throws IOException, CannotStartException;
  }

  /** The JDK's message for Linux' E2BIG. */
  private static final Pattern TOO_LONG = Pattern.compile("error[:=] ?7\\b");

  private final Process process;
  private final Optional<Terminal> terminal;
  private final OutputStream input;
  private final ReentrantLock typing = new ReentrantLock();

  private InteractiveProcess(Process process, Optional<Terminal> terminal) {
    this.process = process;
    this.terminal = terminal;
    this.input = terminal.map(Terminal::input).orElseGet(process::getOutputStream);
  }

  static InteractiveProcess start(Launch.Streams streams, Preparation preparation)
      throws IOException, CannotStartException {
    Optional<Terminal> terminal =
        streams.terminal() ? Optional.of(Terminal.open()) : Optional.empty();
    try {
      ProcessBuilder prepared = preparation.prepare(terminal.map(Terminal::path).orElse(""));
      return new InteractiveProcess(start(prepared), terminal);
    } catch (IOException | CannotStartException failed) {
      terminal.ifPresent(Terminal::close);
      throw failed;
    }
  }

  private static Process start(ProcessBuilder prepared) throws IOException, CannotStartException {
    try {
      return prepared.start();
    } catch (IOException refused) {
      if (TOO_LONG.matcher(String.valueOf(refused.getMessage())).find()) {
        throw new CannotStartException(
            "the command and its variables are too long for this machine: give large values in"
                + " files of volumes");
      }
      throw refused;
    }
  }

  Process process() {
    return process;
  }

  /** What it writes, by the names of its streams; a terminal has only one. */
  SortedMap<String, InputStream> outputs() {
    var outputs = new TreeMap<String, InputStream>();
    outputs.put("stdout", terminal.map(Terminal::output).orElseGet(process::getInputStream));
    if (terminal.isEmpty()) {
      outputs.put("stderr", process.getErrorStream());
    }
    return Collections.unmodifiableSortedMap(outputs);
  }

  void write(byte[] bytes) throws IOException {
    typing.lock();
    try {
      input.write(bytes);
      input.flush();
    } finally {
      typing.unlock();
    }
  }

  void endInput() throws IOException {
    input.close();
  }

  void resize(int columns, int rows) {
    terminal.ifPresent(each -> each.resize(columns, rows));
  }

  /** Gives up its terminal, once it has ended. */
  @Override
  public void close() {
    terminal.ifPresent(Terminal::close);
  }
}
