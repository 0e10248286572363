package io.orrery.scenarios.calibration;
import io.orrery.models.*; import io.orrery.scenarios.*; import io.orrery.scenarios.experiment.*; import java.nio.file.*; import java.util.*;
public class Probe { public static void main(String[] a) throws Exception {
  CommandLineSettings c=CommandLineSettings.none(); if(a.length>2) c=c.withPerfData(a[2]);
  ScenarioRun run=Experiment.prepare(ScenarioLoader.load(Path.of(a[0]),c)).runs().get(0);
  run.assumptions().forEach(System.out::println);
  RequestTimes t=RequestFile.read(Path.of(a[1])).times(run.trace());
  System.out.println(t.known());
  long b=System.nanoTime();
  HostCalibration.Result r=HostCalibration.fit(List.of(new ReplayedRequests(run,t,150)),Catalog.bundled().hostCosts("vllm"));
  System.out.println((System.nanoTime()-b)/1e9+" s "+r.host()+"\n"+r.fitted()+r.reasons());
  r.before().values().forEach(e->System.out.println("before "+e.text())); r.after().values().forEach(e->System.out.println("after "+e.text()));
  r=HostCalibration.fit(List.of(new ReplayedRequests(run,t,150)),HostCosts.NONE);
  System.out.println(r.host()); r.after().values().forEach(e->System.out.println("after from none "+e.text()));
}}
