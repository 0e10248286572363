"use strict";
(function () {
  var charts = JSON.parse(document.getElementById("data").textContent);
  var NS = "http://www.w3.org/2000/svg";
  var LEFT = 64, TOP = 12, PLOT = 626, HEIGHT = 260;
  var DOT = "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z";
  var hidden = {};

  function each(list, action) { Array.prototype.forEach.call(list, action); }

  function three(value) {
    var size = Math.abs(value);
    return size >= 99.95 ? Math.round(value).toLocaleString("en") : size >= 9.995 ? value.toFixed(1) : size === 0 ? "0" : value.toFixed(2);
  }

  function text(value, unit) {
    if (value === null) { return "–"; }
    if (unit === "SHARE") { return (100 * value).toFixed(1) + " %"; }
    if (unit === "MILLIS") { return value < 999.5 ? three(value) + " ms" : text(value / 1000, "SECONDS"); }
    if (unit === "SECONDS") { return value < 119.5 ? three(value) + " s" : value < 7170 ? three(value / 60) + " min" : three(value / 3600) + " h"; }
    if (value >= 999.5e6) { return three(value / 1e9) + " G"; }
    return value >= 999500 ? three(value / 1e6) + " M" : three(value);
  }

  function scaled(axis, value) {
    return axis.log ? Math.log10(Math.max(value, axis.low)) : value;
  }

  function position(axis, value) {
    var low = scaled(axis, axis.low), high = scaled(axis, axis.high);
    return (scaled(axis, value) - low) / (high - low);
  }

  function valueAt(axis, share) {
    var low = scaled(axis, axis.low), high = scaled(axis, axis.high), at = low + share * (high - low);
    return axis.log ? Math.pow(10, at) : at;
  }

  each(document.querySelectorAll("input[data-variant]"), function (box) {
    box.addEventListener("change", function () {
      var i = +box.dataset.variant;
      hidden[i] = !box.checked;
      each(document.querySelectorAll("svg.chart .s" + (i % 8) + ", .legend .k" + (i % 8)), function (part) {
        part.classList.toggle("hidden", !box.checked);
      });
    });
  });

  function svgPoint(svg, event) {
    var frame = svg.getBoundingClientRect();
    return { x: (event.clientX - frame.left) * 720 / frame.width, y: (event.clientY - frame.top) * 720 / frame.width };
  }

  function known(values, k) { return k >= 0 && k < values.length && values[k] !== null; }

  function alone(values, k) { return known(values, k) && !known(values, k - 1) && !known(values, k + 1); }

  function nearest(line, x) {
    var low = 0, high = line.x.length - 1;
    if (high < 0) { return -1; }
    while (low < high) {
      var middle = (low + high) >> 1;
      if (line.x[middle] < x) { low = middle + 1; } else { high = middle; }
    }
    return low > 0 && Math.abs(line.x[low - 1] - x) < Math.abs(line.x[low] - x) ? low - 1 : low;
  }

  function enliven(figure, chart) {
    var svg = figure.querySelector("svg.chart");
    var view = { log: chart.x.log, low: chart.x.low, high: chart.x.high };
    var tip = document.createElement("div");
    tip.className = "tip hidden";
    tip.setAttribute("role", "status");
    document.body.appendChild(tip);
    var cursor = document.createElementNS(NS, "line");
    cursor.setAttribute("class", "cursor hidden");
    svg.appendChild(cursor);
    var pick = document.createElementNS(NS, "rect");
    pick.setAttribute("class", "pick hidden");
    svg.appendChild(pick);
    var reset = document.createElement("button");
    reset.className = "reset hidden";
    reset.type = "button";
    reset.textContent = "Show all";
    svg.insertAdjacentElement("afterend", reset);
    svg.setAttribute("tabindex", "0");
    var frame = svg.querySelector(".frame");
    var labels = frame.innerHTML;
    var from = null;

    function redraw() {
      var lines = svg.querySelectorAll("path.line");
      each(lines, function (path, i) {
        var line = chart.lines[i], d = "", dots = "", before = null, pen = false;
        for (var k = 0; k < line.x.length; k++) {
          if (line.y[k] === null) { pen = false; continue; }
          var share = position(view, line.x[k]);
          var x = LEFT + PLOT * share, y = TOP + HEIGHT * (1 - position(chart.y, line.y[k]));
          if (share < 0 || share > 1) {
            var next = k + 1 < line.x.length ? position(view, line.x[k + 1]) : share;
            if (share < 0 && next < 0 || share > 1) { if (share > 1 && pen) { d += "L" + (LEFT + PLOT) + " " + (chart.steps ? before : y); } pen = false; before = y; if (share > 1) { break; } continue; }
            x = LEFT;
          }
          if (pen && chart.steps) { d += "L" + x.toFixed(1) + " " + before; }
          d += (pen ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
          if (alone(line.y, k) && share >= 0) { dots += "M" + x.toFixed(1) + " " + y.toFixed(1) + DOT; }
          pen = true;
          before = y.toFixed(1);
        }
        path.setAttribute("d", d);
        var points = path.nextElementSibling;
        if (points && points.classList.contains("dots")) { points.setAttribute("d", dots); }
      });
      var whole = view.low === chart.x.low && view.high === chart.x.high;
      reset.classList.toggle("hidden", whole);
      frame.innerHTML = labels;
      if (!whole) {
        each(frame.querySelectorAll('text[text-anchor="middle"]:not(.axis)'), function (label) { label.remove(); });
        for (var i = 0; i <= 4; i++) {
          var label = document.createElementNS(NS, "text");
          label.setAttribute("x", LEFT + PLOT * i / 4);
          label.setAttribute("y", TOP + HEIGHT + 16);
          label.setAttribute("text-anchor", "middle");
          label.textContent = text(valueAt(view, i / 4), chart.x.unit);
          frame.appendChild(label);
        }
      }
    }

    function show(share, place) {
      var x = valueAt(view, share);
      var rows = [chart.x.label + ": " + text(x, chart.x.unit)];
      chart.lines.forEach(function (line, i) {
        var at = hidden[i] ? -1 : nearest(line, x);
        if (at >= 0) { rows.push(line.name + ": " + text(line.y[at], chart.y.unit)); }
      });
      tip.textContent = rows.join("\n");
      tip.classList.remove("hidden");
      tip.style.left = Math.min(place.x + 14, document.documentElement.clientWidth - tip.offsetWidth - 8) + "px";
      tip.style.top = place.y + 14 + "px";
      var at = LEFT + PLOT * share;
      cursor.setAttribute("x1", at); cursor.setAttribute("x2", at);
      cursor.setAttribute("y1", TOP); cursor.setAttribute("y2", TOP + HEIGHT);
      cursor.classList.remove("hidden");
    }

    function hide() { tip.classList.add("hidden"); cursor.classList.add("hidden"); }

    function zoom(a, b) {
      var low = valueAt(view, Math.min(a, b)), high = valueAt(view, Math.max(a, b));
      view.low = low; view.high = high;
      redraw();
    }

    function share(event) { return Math.max(0, Math.min(1, (svgPoint(svg, event).x - LEFT) / PLOT)); }

    svg.addEventListener("pointermove", function (event) {
      var at = share(event);
      show(at, { x: event.pageX, y: event.pageY });
      if (from !== null) {
        pick.setAttribute("x", LEFT + PLOT * Math.min(from, at));
        pick.setAttribute("width", PLOT * Math.abs(at - from));
        pick.setAttribute("y", TOP); pick.setAttribute("height", HEIGHT);
        pick.classList.remove("hidden");
      }
    });
    svg.addEventListener("pointerdown", function (event) { if (event.pointerType === "mouse") { from = share(event); } });
    window.addEventListener("pointerup", function (event) {
      if (from === null) { return; }
      var at = share(event), begin = from;
      from = null;
      pick.classList.add("hidden");
      if (Math.abs(at - begin) > 0.02) { zoom(begin, at); }
    });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("blur", hide);
    reset.addEventListener("click", function () { view.low = chart.x.low; view.high = chart.x.high; redraw(); });
    var key = 0.5;
    svg.addEventListener("keydown", function (event) {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        key = Math.max(0, Math.min(1, key + (event.key === "ArrowLeft" ? -0.02 : 0.02)));
        var box = svg.getBoundingClientRect();
        show(key, { x: box.left + window.scrollX + box.width * (LEFT + PLOT * key) / 720, y: box.top + window.scrollY + 20 });
        event.preventDefault();
      } else if (event.key === "+") { zoom(Math.max(0, key - 0.25), Math.min(1, key + 0.25)); key = 0.5; }
      else if (event.key === "-" || event.key === "Escape") { view.low = chart.x.low; view.high = chart.x.high; redraw(); hide(); }
    });
  }

  each(document.querySelectorAll("figure[data-chart]"), function (figure) {
    var chart = charts[figure.dataset.chart];
    if (chart) { enliven(figure, chart); }
  });

  function open() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) { return; }
    for (var part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") { part.open = true; }
    }
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", open);
  open();
  document.documentElement.dataset.ready = "true";
})();
