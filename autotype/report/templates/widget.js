// Shows the report page in a frame, and hands its decisions to Python.
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = "Review of column types";
    frame.style.cssText = "box-sizing: border-box; width: 100%; height: 42em; border: 1px solid rgb(128 128 128 / 40%); border-radius: 6px";
    const code = document.createElement("pre");
    code.style.whiteSpace = "pre-wrap";
    const problem = document.createElement("p");
    problem.setAttribute("role", "alert");
    const show = () => {
      code.textContent = model.get("code");
      problem.textContent = model.get("problem");
    };
    const renewed = (message) => {
      frame.srcdoc = message.page;
      model.off("msg:custom", renewed);
    };
    const listen = (event) => {
      if (event.source !== frame.contentWindow || typeof event.data?.decisions !== "string") return;
      model.set("decisions", event.data.decisions);
      model.save_changes();
    };
    if (model.get("decisions")) {
      // A further view: the page as it was made does not show what was decided since.
      model.on("msg:custom", renewed);
      model.send({});
    } else {
      frame.srcdoc = model.get("page");
    }
    addEventListener("message", listen);
    model.on("change:code", show);
    model.on("change:problem", show);
    show();
    el.append(frame, problem, code);
    // The page follows the theme of the notebook, which its text shows, and not that of the machine.
    const [red, green, blue] = getComputedStyle(code).color.match(/[\d.]+/g).map(Number);
    frame.style.colorScheme = red + green + blue > 382 ? "dark" : "light";
    return () => {
      removeEventListener("message", listen);
      model.off("change:code", show);
      model.off("change:problem", show);
    };
  },
};
