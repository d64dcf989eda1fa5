package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.model.core.pod.Probe.Header;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Asks a server for a page and takes note of nothing but the code of its answer. Written out by
 * hand because the client of the JDK does not let a caller choose the header {@code Host}, which
 * people do in their probes.
 */
final class HttpProbe {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])( .*)?");
  private static final Pattern NAME = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");
  private static final int MAX_LINE = 8 << 10;

  /** Certificates of probed servers are not verified, as by a kubelet. */
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private HttpProbe() {}

  /** The code of the answer, of which the first line must come in time. */
  static int ask(Check.Http page, Duration timeout) throws IOException {
    URI uri = URI.create(page.url());
    int millis = (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
    try (var plain = new Socket()) {
      plain.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), millis);
      plain.setSoTimeout(millis);
      try (Socket socket = uri.getScheme().equals("https") ? secured(plain, uri) : plain) {
        socket
            .getOutputStream()
            .write(request(uri, page.headers()).getBytes(StandardCharsets.UTF_8));
        return code(socket);
      }
    }
  }

  private static Socket secured(Socket plain, URI uri) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
      return context.getSocketFactory().createSocket(plain, uri.getHost(), uri.getPort(), true);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this JDK knows no TLS", impossible);
    }
  }

  private static String request(URI uri, List<Header> headers) throws IOException {
    var all = new LinkedHashMap<String, String>();
    all.put("host", "Host: " + uri.getRawAuthority());
    all.put("user-agent", "User-Agent: kube-probe/1.36");
    all.put("accept", "Accept: */*");
    for (Header header : headers) {
      if (!NAME.matcher(header.name()).matches() || header.value().chars().anyMatch(c -> c < ' ')) {
        throw new IOException("httpHeaders: %s cannot be sent".formatted(header.name()));
      }
      all.put(header.name().toLowerCase(Locale.ROOT), header.name() + ": " + header.value());
    }
    all.put("connection", "Connection: close");
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return "GET %s%s HTTP/1.1\r\n%s\r\n\r\n"
        .formatted(uri.getRawPath(), query, String.join("\r\n", all.values()));
  }

  private static int code(Socket socket) throws IOException {
    var answer =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    char[] begun = new char[MAX_LINE];
    int length = 0;
    for (int c = answer.read(); c >= 0 && c != '\n' && length < begun.length; c = answer.read()) {
      begun[length++] = (char) c;
    }
    String line = new String(begun, 0, length).strip();
    Matcher status = STATUS.matcher(line);
    if (!status.matches()) {
      throw new IOException("the answer is no HTTP: " + line);
    }
    return Integer.parseInt(status.group(1));
  }
}
