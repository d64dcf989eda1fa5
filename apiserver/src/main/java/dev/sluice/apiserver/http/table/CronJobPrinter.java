package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.orNone;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;

/** Rows of cron jobs. */
final class CronJobPrinter implements Printer {

  @Override
  public List<Column> columns() {
    return List.of(
        name(),
        text("Schedule", "When jobs are due."),
        text("Timezone", "Whose clock the schedule is about."),
        new Column("Suspend", "boolean", "", "Whether no more jobs are started.", 0, ""),
        new Column("Active", "integer", "", "How many jobs run.", 0, ""),
        text("Last Schedule", "How long ago a job was due that was started."),
        Printer.age(),
        wide("Containers", "The containers of its pods."),
        wide("Images", "The images of its pods."),
        wide("Selector", "The labels by which its jobs know their pods."));
  }

  @Override
  public List<Value> cells(ApiObject cronJob, Instant now) {
    Tree job = cronJob.spec().tree("jobTemplate", "spec");
    List<Tree> containers = job.trees("template", "spec", "containers");
    String last = cronJob.status().text("lastScheduleTime");
    return Printer.row(
        cronJob.name(),
        cronJob.spec().text("schedule"),
        orNone(cronJob.spec().text("timeZone")),
        cronJob.spec().flag("suspend") ? "True" : "False",
        cronJob.status().items("active").size(),
        last.isEmpty() ? "<none>" : Ages.since(last, now),
        Printer.ageOf(cronJob, now),
        JobPrinter.fields(containers, "name"),
        JobPrinter.fields(containers, "image"),
        orNone(JobPrinter.selector(job.tree("selector"))));
  }
}
