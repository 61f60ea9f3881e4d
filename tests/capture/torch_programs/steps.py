"""Training as people write it: scaled losses, closures, schedules, accumulation, clipping, with compiled steps."""

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.optim import lr_scheduler as lr

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


def state_of(model, *optimizers):
    return (
        [p.detach() for p in model.parameters()],
        [p.grad for p in model.parameters()],
        [described(o) for o in optimizers],
    )


def described(optimizer):
    found = optimizer.state_dict()
    return [{k: v for k, v in state.items()} for state in found["state"].values()], [
        g["lr"] for g in found["param_groups"]
    ]


def stepped(
    name,
    make,
    steps=6,
    graphs=None,
    breaks=0,
    backends=("eager", "aot_eager"),
    exact=False,
    schedule=None,
    scaled=False,
    closure=False,
):
    """The step of the optimizer is compiled; the rest is not."""

    def run(compile):
        model = network()
        optimizer = make(model.parameters())
        scheduler = schedule(optimizer) if schedule else None
        scaler = torch.amp.GradScaler("cpu", enabled=True, init_scale=8.0, growth_interval=2) if scaled else None
        if closure:

            def evaluate():
                optimizer.zero_grad()
                loss = model(numbers(2, 3)).pow(2).sum()
                loss.backward()
                return loss

            step = compile(lambda: optimizer.step(evaluate))
        elif scaled:
            step = compile(lambda: (scaler.step(optimizer), scaler.update())[0])
        else:
            step = compile(lambda: optimizer.step())
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(numbers(2, 3)).pow(2).sum()
            (scaler.scale(loss) if scaled else loss).backward()
            step()
            if scheduler is not None:
                scheduler.step()
            losses.append(loss.detach())
        return losses, state_of(model, optimizer), scaler.get_scale() if scaled else None

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=exact)


OPTIMIZERS = {
    "sgd": lambda p: optim.SGD(p, 0.1),
    "sgd_momentum": lambda p: optim.SGD(p, 0.1, momentum=0.9),
    "sgd_maximize": lambda p: optim.SGD(p, 0.001, maximize=True),
    "sgd_fused": lambda p: optim.SGD(p, 0.1, momentum=0.9, fused=True),
    "adam": lambda p: optim.Adam(p, 0.01),
    "adam_foreach": lambda p: optim.Adam(p, 0.01, foreach=True),
    "adam_fused": lambda p: optim.Adam(p, 0.01, fused=True),
    "adam_amsgrad_foreach": lambda p: optim.Adam(p, 0.01, foreach=True, amsgrad=True),
    "adam_capturable": lambda p: optim.Adam(p, torch.tensor(0.01), foreach=False),
    "adamw": lambda p: optim.AdamW(p, 0.01),
    "adamw_foreach": lambda p: optim.AdamW(p, 0.01, foreach=True),
    "adamw_fused": lambda p: optim.AdamW(p, 0.01, fused=True),
    "adamax": lambda p: optim.Adamax(p, 0.01),
    "adamax_foreach": lambda p: optim.Adamax(p, 0.01, foreach=True),
    "nadam": lambda p: optim.NAdam(p, 0.01),
    "nadam_foreach": lambda p: optim.NAdam(p, 0.01, foreach=True),
    "radam": lambda p: optim.RAdam(p, 0.01),
    "radam_foreach": lambda p: optim.RAdam(p, 0.01, foreach=True),
    "asgd": lambda p: optim.ASGD(p, 0.01),
    "asgd_foreach": lambda p: optim.ASGD(p, 0.01, foreach=True),
    "adagrad": lambda p: optim.Adagrad(p, 0.1),
    "adagrad_foreach": lambda p: optim.Adagrad(p, 0.1, foreach=True),
    "adadelta": lambda p: optim.Adadelta(p, 0.5),
    "adadelta_foreach": lambda p: optim.Adadelta(p, 0.5, foreach=True),
    "rmsprop": lambda p: optim.RMSprop(p, 0.01, momentum=0.5),
    "rmsprop_foreach": lambda p: optim.RMSprop(p, 0.01, foreach=True, centered=True),
    "rprop": lambda p: optim.Rprop(p, 0.01),
    "rprop_foreach": lambda p: optim.Rprop(p, 0.01, foreach=True),
    "groups": lambda p: in_groups(list(p)),
}


def in_groups(parameters):
    decayed = [p for p in parameters if p.dim() > 1]
    others = [p for p in parameters if p.dim() <= 1]
    return optim.AdamW(
        [{"params": decayed, "weight_decay": 0.1}, {"params": others, "lr": 0.05, "weight_decay": 0.0}], lr=0.01
    )


for _name, _make in OPTIMIZERS.items():
    stepped(f"compiled_{_name}", _make, backends=("eager",) if "fused" in _name else ("eager", "aot_eager"))
stepped("compiled_adamw_inductor", OPTIMIZERS["adamw"], backends=("inductor",))
stepped(
    "compiled_lbfgs", lambda p: optim.LBFGS(p, 0.1, max_iter=3), closure=True, steps=2, breaks=10, backends=("eager",)
)
stepped("compiled_sgd_with_closure", OPTIMIZERS["sgd"], closure=True, backends=("eager",))
stepped("compiled_adamw_with_closure", OPTIMIZERS["adamw"], closure=True, backends=("eager",))

SCHEDULES = {
    "step": lambda o: lr.StepLR(o, 2),
    "multi_step": lambda o: lr.MultiStepLR(o, [1, 3]),
    "exponential": lambda o: lr.ExponentialLR(o, 0.9),
    "cosine": lambda o: lr.CosineAnnealingLR(o, 5),
    "cosine_restarts": lambda o: lr.CosineAnnealingWarmRestarts(o, 2),
    "linear": lambda o: lr.LinearLR(o, total_iters=4),
    "lambda": lambda o: lr.LambdaLR(o, lambda step: 1 / (1 + step)),
    "polynomial": lambda o: lr.PolynomialLR(o, 5),
    "one_cycle": lambda o: lr.OneCycleLR(o, 0.1, total_steps=10),
    "cyclic": lambda o: lr.CyclicLR(o, 0.01, 0.1, step_size_up=2, cycle_momentum=False),
    "sequential": lambda o: lr.SequentialLR(o, [lr.ConstantLR(o, 0.1, 2), lr.ExponentialLR(o, 0.9)], [2]),
    "warm_up": lambda o: lr.LambdaLR(o, lambda step: min(1.0, (step + 1) / 4)),
}
for _name, _schedule in SCHEDULES.items():
    stepped(f"scheduled_sgd_{_name}", OPTIMIZERS["sgd_momentum"], schedule=_schedule, steps=8)
for _name in ("cosine", "one_cycle", "lambda"):
    stepped(f"scheduled_adamw_{_name}", OPTIMIZERS["adamw"], schedule=SCHEDULES[_name], steps=8)
stepped(
    "scheduled_tensor_rate", lambda p: optim.Adam(p, torch.tensor(0.01)), schedule=SCHEDULES["exponential"], steps=8
)

stepped("scaled_sgd", OPTIMIZERS["sgd"], scaled=True, breaks=1)
stepped("scaled_adamw", OPTIMIZERS["adamw"], scaled=True, breaks=1)
stepped("compiled_adafactor", lambda p: optim.Adafactor(p, 0.01), breaks=3)


def whole(name, make=OPTIMIZERS["adamw"], breaks=0, graphs=None, backends=("eager", "aot_eager"), steps=5, body=None):
    """All of a step is compiled."""

    def run(compile):
        model = network()
        optimizer = make(model.parameters())
        step = compile(lambda x, y: body(model, optimizer, x, y))
        results = []
        for k in range(steps):
            results.append(step(numbers(2, 3) + k / 10, torch.tensor([0, 1])))
        return results, state_of(model, optimizer)

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends, exact=False)


def usual(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


def clipped(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    return loss.detach(), norm


def clipped_by_value(model, optimizer, x, y):
    optimizer.zero_grad(set_to_none=False)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), 0.01)
    optimizer.step()
    return loss.detach()


def clipped_each(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    norms = [
        nn.utils.clip_grad_norm_([p], 0.1, norm_type="inf", error_if_nonfinite=False, foreach=False)
        for p in model.parameters()
    ]
    optimizer.step()
    return loss.detach(), norms


def accumulated(model, optimizer, x, y):
    optimizer.zero_grad()
    for part, target in zip(x.chunk(2), y.chunk(2)):
        (F.cross_entropy(model(part), target) / 2).backward()
    optimizer.step()
    return [p.grad.clone() for p in model.parameters()]


def in_bfloat16(model, optimizer, x, y):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


def two_losses(model, optimizer, x, y):
    optimizer.zero_grad()
    out = model(x)
    F.cross_entropy(out, y).backward(retain_graph=True)
    out.pow(2).mean().backward()
    optimizer.step()
    return out.detach()


def averaged(model, optimizer, x, y):
    loss = usual(model, optimizer, x, y)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.99).add_(torch.ones_like(p), alpha=0.01)
    return loss


def norm_of_gradients(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    total = torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in model.parameters()]))
    optimizer.step()
    optimizer.zero_grad()
    return total


def only_some(model, optimizer, x, y):
    optimizer.zero_grad()
    model[0].requires_grad_(False)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    model[0].requires_grad_(True)
    return loss.detach()


def penalty(model, optimizer, x, y):
    optimizer.zero_grad()
    x = x.detach().requires_grad_()
    out = model(x)
    (g,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    loss = F.cross_entropy(out, y) + (g.norm(dim=-1) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss.detach()


whole("whole_adamw", body=usual)
whole("whole_sgd", OPTIMIZERS["sgd_momentum"], body=usual)
whole("whole_adam_foreach", OPTIMIZERS["adam_foreach"], body=usual)
whole("whole_fused", OPTIMIZERS["adamw_fused"], body=usual, backends=("eager",))
whole("whole_clipped", body=clipped)
whole("whole_clipped_by_value", body=clipped_by_value)
whole("whole_clipped_each", body=clipped_each)
whole("whole_accumulated", body=accumulated)
whole("whole_in_bfloat16", body=in_bfloat16)
whole("whole_two_losses", body=two_losses)
whole("whole_averaged", body=averaged)
whole("whole_norm_of_gradients", body=norm_of_gradients)
whole("whole_only_some", body=only_some, backends=("eager",))
whole("whole_penalty", body=penalty)


@case(breaks=1)
def whole_scaled(compile):
    model = network()
    optimizer = optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)

    def step(x, y):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        return loss.detach()

    f = compile(step)
    results = [f(numbers(2, 3), torch.tensor([0, 1])) for _ in range(4)]
    return [r.to(torch.float32).mul(100).round() for r in results], scaler.get_scale()


@case(breaks=1)
def scaled_with_infinities(compile):
    model = network()
    optimizer = optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)

    def step(x):
        optimizer.zero_grad()
        loss = model(x).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.detach()

    f = compile(step)
    results = [f(numbers(2, 3) * scale) for scale in (1.0, float("inf"), 1.0, 1.0)]
    return results, scaler.get_scale(), state_of(model)


@case()
def accumulation_outside(compile):
    model = network()
    f = compile(lambda x: model(x).pow(2).mean() / 4)
    for k in range(4):
        f(numbers(2, 3) + k).backward()
    return state_of(model)


@case(breaks=2)
def moving_average_of_a_model(compile):
    model = network()
    averaged = optim.swa_utils.AveragedModel(model, multi_avg_fn=optim.swa_utils.get_ema_multi_avg_fn(0.9))

    def step(x):
        y = model(x)
        averaged.update_parameters(model)
        return y

    f = compile(step)
    return [f(numbers(2, 3)) for _ in range(3)], [p.detach() for p in averaged.parameters()], averaged.n_averaged


@case()
def optimizer_hooks(compile):
    model = network()
    optimizer = optim.SGD(model.parameters(), 0.1)
    seen = []
    optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append("before"))
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append("after"))
    step = compile(lambda: optimizer.step())
    for _ in range(3):
        optimizer.zero_grad()
        model(numbers(2, 3)).sum().backward()
        step()
    return seen, state_of(model)


def count_graphs(name, make, most, schedule=None, steps=8, backends=("eager",)):
    """How many graphs a compiled step may need in all."""

    def run(compile):
        model = network()
        optimizer = make(model.parameters())
        scheduler = schedule(optimizer) if schedule else None
        compiled = []

        def backend(graph, examples):
            compiled.append(graph)
            return graph.forward

        step = compile(lambda: optimizer.step(), backend=backend)
        for _ in range(steps):
            optimizer.zero_grad()
            model(numbers(2, 3)).pow(2).sum().backward()
            step()
            if scheduler is not None:
                scheduler.step()
        assert len(compiled) <= most, f"{len(compiled)} graphs"
        return state_of(model)

    add(globals(), name, run, backends=backends, exact=False)


for _name in (
    "adamw",
    "adam",
    "adam_foreach",
    "sgd_momentum",
    "rmsprop",
    "adagrad",
    "nadam",
    "radam",
    "asgd",
    "adamax",
    "adadelta",
):
    count_graphs(f"at_most_two_graphs_{_name}", OPTIMIZERS[_name], 2)
for _name, _schedule in SCHEDULES.items():
    count_graphs(f"at_most_three_graphs_scheduled_{_name}", OPTIMIZERS["adamw"], 3, _schedule)


def whole_step(compile, model, optimizer, give):
    """Forward, backward and the optimizer in one function; what it gives is not the gradients but the loss."""

    def step(x):
        optimizer.zero_grad()
        out = model(x)
        loss = out.pow(2).mean()
        loss.backward()
        optimizer.step()
        return give(loss, out)

    return compile(step)


def whole_steps(give):
    def run(compile):
        model = network()
        optimizer = optim.AdamW(model.parameters(), lr=0.1)
        step = whole_step(compile, model, optimizer, give)
        return [step(numbers(2, 3) + n) for n in range(4)], state_of(model)

    return run


add(globals(), "whole_step_gives_the_loss", whole_steps(lambda loss, out: loss), graphs=2, backends=ALL, exact=False)
add(
    globals(),
    "whole_step_gives_the_number",
    whole_steps(lambda loss, out: torch.tensor(loss.item())),
    breaks=1,
    exact=False,
)
add(globals(), "whole_step_gives_loss_and_output", whole_steps(lambda loss, out: (loss, {"out": out})), exact=False)
add(globals(), "whole_step_gives_it_detached", whole_steps(lambda loss, out: loss.detach()), graphs=2, exact=False)
add(globals(), "whole_step_gives_more_than_the_loss", whole_steps(lambda loss, out: loss * 2 + 1), exact=False)


@case()
def loss_of_a_whole_step_cannot_be_differentiated_again(compile):
    model = network()
    step = whole_step(compile, model, optim.SGD(model.parameters(), lr=0.1), lambda loss, out: (loss, out))
    loss, out = step(numbers(2, 3))
    said = []
    for spent in (loss, out.sum(), loss + 1):
        try:
            spent.backward()
        except RuntimeError as error:
            said.append(str(error)[:40])
    return said, loss.requires_grad, loss.is_leaf, out.is_leaf, float(loss), state_of(model)


@case()
def adversaries_in_one_step(compile):
    torch.manual_seed(2)
    maker = nn.Linear(2, 3)
    judge = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
    of_maker, of_judge = (optim.SGD(m.parameters(), lr=0.1) for m in (maker, judge))

    def step(real, noise):
        made = maker(noise)
        of_judge.zero_grad()
        loss = F.softplus(-judge(real)).mean() + F.softplus(judge(made.detach())).mean()
        loss.backward()
        of_judge.step()
        of_maker.zero_grad()
        other = F.softplus(-judge(made)).mean()
        other.backward()
        of_maker.step()
        return loss, other

    step = compile(step)
    return [step(numbers(2, 3) + n, numbers(2, 2) - n) for n in range(3)], state_of(maker), state_of(judge)


@case()
def lstm_that_learns_from_data(compile):
    torch.manual_seed(3)
    lstm, head = nn.LSTM(3, 4, num_layers=2, batch_first=True), nn.Linear(4, 3)
    model = nn.ModuleList([lstm, head])
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def forward(x, state):
        out, state = lstm(x, state)
        return head(out), state

    forward, state, losses = compile(forward), None, []
    for n in range(3):
        x = numbers(2, 4, 3) / (n + 8)
        out, state = forward(x, state)
        state = tuple(part.detach() for part in state)
        loss = F.mse_loss(out, x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses, state, state_of(model)


def layers_with_dropout(kind):
    def run(compile):
        torch.manual_seed(4)
        network = kind(3, 4, num_layers=3, dropout=0.5, batch_first=True, bidirectional=True)
        forward = compile(lambda x: network(x * 2)[0] + 1)
        training = [forward(numbers(2, 4, 3) / 8) for _ in range(2)]
        network.eval()
        return training, forward(numbers(2, 4, 3) / 8)

    return run


for kind in (nn.LSTM, nn.GRU, nn.RNN):
    name = f"{kind.__name__.lower()}_with_dropout_between_layers"
    add(globals(), f"{name}_captured", layers_with_dropout(kind), graphs=2, backends=("eager",))
    add(globals(), f"{name}_left_to_python", layers_with_dropout(kind), breaks=1, backends=("aot_eager",))


def loss_of_several_labels(compile):
    loss = compile(nn.MultiLabelMarginLoss())
    x = numbers(2, 4).sin().requires_grad_()
    result = loss(x, torch.tensor([[3, 0, -1, 1], [0, 1, 2, -1]]))
    result.backward()
    return result, x.grad


add(globals(), "loss_of_several_labels_captured", loss_of_several_labels, graphs=1, backends=("eager",))
add(globals(), "loss_of_several_labels_left_to_python", loss_of_several_labels, breaks=1, backends=("aot_eager",))
