package dev.sluice.controllers.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

  @Test
  void givesEveryAddressOnceAndAgainWhenItComesBack() {
    AddressRange range = AddressRange.parse("10.1.2.3/24").orElseThrow();
    range.use("10.1.2.2");

    assertThat(range.take()).isEqualTo("10.1.2.1");
    assertThat(range.take()).isEqualTo("10.1.2.3");
    range.release("10.1.2.1");
    range.release("192.168.0.1");
    assertThat(range.take()).isEqualTo("10.1.2.1");
    assertThat(range.take()).isEqualTo("10.1.2.4");
  }

  @Test
  void aNodeWhoseRangeCannotBeReadHasTheUsualOne() {
    var cluster = new FakeCluster(1);
    ApiObject node = ApiObject.of(Kinds.NODE, "", "n").with(List.of("spec", "podCIDR"), "odd");
    cluster.create(Kinds.NODE, node);

    assertThat(new Addresses(cluster, "10.1.0.0/24").ofPod("n", false, "default", "p"))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void goesOnBehindItsEnd() {
    AddressRange range = AddressRange.parse("10.0.0.252/30").orElseThrow();
    range.take();
    range.take();
    range.take();

    assertThat(range.take()).isEqualTo("10.0.1.0");
  }

  @Test
  void givesAddressesOfIpv6InTheirShortestForm() {
    AddressRange range = AddressRange.parse("fd00:10:0:0::7/64").orElseThrow();
    range.use("fd00:10::2");
    range.use("10.0.0.1");

    assertThat(range.take()).isEqualTo("fd00:10::1");
    assertThat(range.take()).isEqualTo("fd00:10::3");
    range.release("FD00:10:0::0:1");
    assertThat(range.take()).isEqualTo("fd00:10::1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0",
        "10.0.0.256/24",
        "10.0.0.0/33",
        "10.0.0/8",
        "010.0.0.0/8",
        "fd00::/129",
        "fd00::1::/64",
        "fd00:1/64",
        "1:2:3:4:5:6:7:8:9/64",
        "fd00::g/64",
        "::/",
        "/64"
      })
  void readsNothingButCidrs(String text) {
    assertThat(AddressRange.parse(text)).isEmpty();
  }
}
