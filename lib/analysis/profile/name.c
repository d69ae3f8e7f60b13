/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/profile.h"

/* What the name of a goroutine says: whether it is asked for, and whether it is the only one. */

static int is_text(gt_string a, const char *b)
{
    return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}

/* internal/trace/summary.go has what the runtime's own goroutines are. */
static int is_system_name(gt_string name)
{
    static const char prefix[] = "runtime.";
    return name.size >= sizeof(prefix) - 1 && memcmp(name.data, prefix, sizeof(prefix) - 1) == 0 &&
           !is_text(name, "runtime.main");
}

static int is_asked(const struct gt_profile *p, gt_string name)
{
    const gt_string *asked = &p->options.goroutine;
    return asked->size == name.size && memcmp(asked->data, name.data, name.size) == 0;
}

static gt_status choose(struct gt_profile *p, struct gt_profile_go *g, gt_string root)
{
    g->wanted = is_asked(p, root) ? GT_WANTED_YES : GT_WANTED_NO;
    if (g->wanted == GT_WANTED_NO) {
        gt_tally_free(&g->late, &p->mem);
        return GT_OK;
    }
    p->selected++;
    return gt_tally_move(&p->total, &p->mem, &g->late, p->sync);
}

/* It is no goroutine that C made, so no other will have its id. */
static gt_status stay(struct gt_profile *p, struct gt_profile_go *g)
{
    g->returns = 0;
    if (g->ran)
        gt_tally_free(&g->early, &p->mem);
    if (g->wanted == GT_WANTED_YES)
        return gt_tally_move(&p->total, &p->mem, &g->own, p->sync);
    gt_tally_free(&g->own, &p->mem);
    return GT_OK;
}

gt_status gt_profile_go_name(struct gt_profile *p, struct gt_profile_go *g, gt_stack stack)
{
    uint32_t number;
    gt_status status = gt_stackset_number(&p->stacks, p->reader, stack, &number);
    gt_string root = {"", 0};
    if (status == GT_OK)
        root = gt_stackset_root(&p->stacks, number);
    if (root.size == 0)
        return status;
    g->named = 1;
    g->is_system = (uint8_t) is_system_name(root);
    if (g->wanted == GT_WANTED_UNKNOWN)
        status = choose(p, g, root);
    if (status == GT_OK && g->returns && !is_text(root, "runtime.cgocallback"))
        status = stay(p, g);
    return status;
}
