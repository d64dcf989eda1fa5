package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

  @Test
  void aPlaceToListenIsReadAsKubernetesWritesIt() {
    assertThat(HostAndPort.parse(":8081")).isEqualTo(new HostAndPort("", 8081));
    assertThat(HostAndPort.parse("127.0.0.1:0")).isEqualTo(new HostAndPort("127.0.0.1", 0));
    assertThat(HostAndPort.parse("[::1]:80")).isEqualTo(new HostAndPort("::1", 80));
    assertThat(HostAndPort.parse("[::1]:80")).hasToString("[::1]:80");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8081", "host:", "host:http", ":65536", ":-1"})
  void aPlaceThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> HostAndPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aUrlWithoutAPortHasTheOneWeListenOn() {
    var bare = new WebhookAddress.Url(URI.create("https://10.0.0.1"));
    var full = new WebhookAddress.Url(URI.create("https://sluice.example.com:443/"));

    assertThat(bare.clientConfig("/convert", 4711).text("url"))
        .isEqualTo("https://10.0.0.1:4711/convert");
    assertThat(bare.names().addresses()).containsExactly("10.0.0.1");
    assertThat(full.clientConfig("/convert", 4711).text("url"))
        .isEqualTo("https://sluice.example.com:443/convert");
    assertThat(full.names().dns()).containsExactly("sluice.example.com");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://10.0.0.1", "//10.0.0.1", "https://host/path", "https:///x"})
  void aUrlThatAServerCannotAskIsRefused(String url) {
    assertThatThrownBy(() -> new WebhookAddress.Url(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://HOST");
  }

  @Test
  void aServerOnThisMachineReachesUsByLoopback() {
    var url = WebhookAddress.Url.reachableFrom(URI.create("https://127.0.0.1:6443"));

    assertThat(url.isLocal()).isTrue();
    assertThat(url.clientConfig("/x", 1).text("url")).isEqualTo("https://127.0.0.1:1/x");
  }
}
