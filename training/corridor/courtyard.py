"""The second place: a square courtyard under the sky, by day and at dusk, ray-cast like the corridors.

  arcades   three arches a side on round columns, before a gallery with a back wall; bands of their colour about them
  middle    a round well
  paving    flagstones, and around the well plaster in the arcades' colour
  day       a sun with shadows of the walls and of the well
  dusk      a sky that is orange on one side, and light from the gallery

Camera, actions and poses are those of scenes.py: the eye is one unit above the ground, the poses are the commanded ones
and the walker slides along the arcades and around the well. One geometry, many colours; features are averaged over the
footprint of a pixel (footprint.py).
"""
import math

import torch

import scenes as SC
from footprint import SOFT, above, between, repeat
from scenes import FX, FY, HUES, NAMES, LAMP

HALF, DEPTH, TOP = 5.0, 1.7, -1.9                  # of the court, of the gallery, top of the walls (y points down)
BAY, ARCH, SPRING, BAND = 10 / 3, 1.2, .05, .26     # of an arch: distance, half width, where it begins to bend, its band
VAULT = -1.2                                       # ceiling of the gallery
COLUMN, FOOT = .36, .42                            # radius of a column, and of its base and capital
WELL, BRIM, HOLE = .95, .42, .66                   # radius, top, radius of the opening
INNER, BORDER, FLAG = 2.4, .30, 1.66               # half width of the inner paving, its border, size of flags
MARGIN = .45                                       # how near to the arcades and to the well one can walk
SUN = (.52, -.76, .39)                             # towards it
DUSK_SHARE = .4                                    # of the clips

STONES = {"sandstone": (.84, .70, .50), "marble": (.88, .87, .86), "brick": (.70, .40, .32), "granite": (.52, .54, .58)}
WELLS = {"stone": (.62, .60, .57), "copper": (.38, .66, .58)}
LIGHTS = {"dusk": (.30, .26, .38), "day": (.74, .82, .90)}           # the darker one first, as in scenes.py; the haze
STONE_NAMES, WELL_NAMES, LIGHT_NAMES = list(STONES), list(WELLS), list(LIGHTS)


# ---------------------------------------------------------------------------------------------- scenes
def sample_scenes(n, generator, dark=DUSK_SHARE):
    """-> dict of [n] or [n,3] tensors; `dark` is the share of them at dusk"""
    stone = torch.randint(len(STONES), (n,), generator=generator)
    hue = torch.randint(len(NAMES), (n,), generator=generator)
    well = torch.randint(len(WELLS), (n,), generator=generator)
    light = (torch.rand(n, generator=generator) >= dark).long()
    tint = .95 + .10 * torch.rand(n, 3, generator=generator)
    colours = lambda table: torch.tensor(list(table.values()))
    return {"stone_id": stone, "hue_id": hue, "well_id": well, "light_id": light,
            "stone": (colours(STONES)[stone] * tint).clamp(0, 1), "hue": colours(HUES)[hue],
            "well": colours(WELLS)[well], "day": light.float()}


def caption(scenes, i):
    name = lambda key, names: names[scenes[key][i]]
    return (f"a {name('stone_id', STONE_NAMES)} courtyard with {name('hue_id', NAMES)} arcades and a "
            f"{name('well_id', WELL_NAMES)} well, {name('light_id', LIGHT_NAMES)}")


def random_start(n, generator):
    """Anywhere but in the well, mostly looking about across the middle -> yaw, x, z"""
    rand = lambda: torch.rand(n, generator=generator)
    angle, radius = rand() * 2 * math.pi, WELL + MARGIN + .1 + rand().sqrt() * (HALF - WELL - 2 * MARGIN - .2)
    x, z = radius * angle.sin(), radius * angle.cos()
    inwards = torch.atan2(-x, -z) + torch.randn(n, generator=generator) * .7
    return torch.where(rand() < .7, inwards, rand() * 2 * math.pi), x, z


def slide(place, step):
    """Where a step [n,3] from a place [n,3] ends: along the arcades and around the well, whichever axis is free."""
    def free(at):
        inside = at[:, (0, 2)].abs().amax(1) < HALF - MARGIN
        return inside & (at[:, (0, 2)].square().sum(1) > (WELL + MARGIN) ** 2)
    out = place
    for axes in ((1., 0., 1.), (1., 0., 0.), (0., 0., 1.)):          # the whole step, else along one axis
        at = place + step * torch.tensor(axes)
        out = torch.where(((out == place).all(1) & free(at))[:, None], at, out)
    return out


# ---------------------------------------------------------------------------------------------- pictures
def render(scene, rotation, place, height, width):
    """Scene tensors [n,...], rotation [n,F,3,3], place [n,F,3] -> uint8 [n,F,H,W,3]"""
    dev = rotation.device
    u = (((torch.arange(width, device=dev) + .5) / width - .5) / FX)[None, None, None, :]
    v = (((torch.arange(height, device=dev) + .5) / height - .5) / FY)[None, None, :, None]
    r = lambda i, j: rotation[..., i, j][..., None, None]
    dx, dy, dz = (r(i, 0) * u + r(i, 1) * v + r(i, 2) for i in range(3))
    safe = lambda d: torch.where(d.abs() < 1e-5, torch.full_like(d, 1e-5), d)
    ix, iy, iz = 1 / safe(dx), 1 / safe(dy), 1 / safe(dz)
    px, py, pz = (place[..., i][..., None, None] for i in range(3))
    length = torch.sqrt(dx * dx + dy * dy + dz * dz)
    level = torch.sqrt(dx * dx + dz * dz).clamp(min=1e-5)
    day = scene["day"].to(dev)[:, None, None, None]
    mix = lambda base, other, share: base + (other - base) * share

    # ------------------------------------------------------------------ what a ray meets
    to_x = torch.maximum((HALF - px) * ix, (-HALF - px) * ix)
    to_z = torch.maximum((HALF - pz) * iz, (-HALF - pz) * iz)
    on_x = to_x <= to_z                                               # of the four walls, one of those across x
    to_wall = torch.minimum(to_x, to_z)
    to_floor = torch.where(dy > 1e-4, (1 - py) * iy, torch.full_like(dy, 1e4))
    is_floor = to_floor < to_wall

    def footprint(t, i, d, along_x, along_y):
        """How far a hit moves in direction i a pixel, on the plane with the normal x, y or (else) z"""
        def part(j, pixel):
            on_plane = torch.where(along_y, r(i, j) - d * iy * r(1, j),
                                   torch.where(along_x, r(i, j) - d * ix * r(0, j), r(i, j) - d * iz * r(2, j)))
            return (t * pixel * on_plane).square()
        return torch.sqrt(part(0, 1 / (width * FX)) + part(1, 1 / (height * FY))) * SOFT + .012
    pixel = lambda t: t * (SOFT / (width * FX)) + .008

    # ------------------------------------------------------------------ the court's floor
    t = to_floor.clamp(max=60)
    x, z = px + dx * t, pz + dz * t
    size_x, size_z = (footprint(t, i, d, on_x, torch.ones_like(on_x)) for i, d in ((0, dx), (2, dz)))
    inside = lambda half: between(x, -half, half, size_x) * between(z, -half, half, size_z)
    inner, border = inside(INNER), inside(INNER + BORDER)
    slabs = .5 + .5 * (2 * repeat(x, FLAG / 2, 2 * FLAG, size_x) - 1) * (2 * repeat(z, FLAG / 2, 2 * FLAG, size_z) - 1)
    reach = (1 - TOP) / -SUN[1]                                       # how far the walls' shadows fall, by the sun's part
    shade = 1 - (1 - above(x, HALF - reach * SUN[0], size_x)) * (1 - above(z, HALF - reach * SUN[2], size_z))
    flat = math.hypot(SUN[0], SUN[2])
    along, aside = -(x * SUN[0] + z * SUN[2]) / flat, (x * SUN[2] - z * SUN[0]) / flat
    half = torch.sqrt((WELL ** 2 - aside * aside).clamp(min=0))
    cast = (between(aside, -WELL, WELL, size_x + size_z)
            * between(along, torch.zeros_like(half), half + (1 - BRIM) * flat / -SUN[1], size_x + size_z))
    shade = torch.maximum(shade, cast)
    near_well = torch.exp(-(torch.sqrt(x * x + z * z) - WELL).clamp(min=0) * 5)
    near_wall = torch.exp(-(HALF - torch.maximum(x.abs(), z.abs())).clamp(min=0) * 1.3)
    floor_sun, floor_glow = 1 - shade, near_wall

    # ------------------------------------------------------------------ walls with their arches
    t = to_wall
    x, y, z = px + dx * t, py + dy * t, pz + dz * t
    at = torch.where(on_x, z, x)                                      # along the wall
    never = torch.zeros_like(on_x)
    size_y = footprint(t, 1, dy, on_x, never)
    size_at = torch.where(on_x, footprint(t, 2, dz, on_x, never), footprint(t, 0, dx, on_x, never))
    bay = SC.wrap(at, BAY)
    within = ARCH - torch.where(y > SPRING, bay.abs(), torch.sqrt(bay * bay + (y - SPRING) ** 2))
    size = torch.where(y > SPRING, size_at, torch.maximum(size_at, size_y))
    opening = above(within, 0., size)
    band = between(within, -BAND, 0., size) * above(-y, -SPRING, size_y)
    coping = between(y, TOP, TOP + .16, size_y)
    wall_there = above(y, TOP, size_y)
    side = torch.where(on_x, torch.where(x > 0, -SUN[0], SUN[0]), torch.where(z > 0, -SUN[2], SUN[2]))
    other = torch.where(on_x, HALF - z, HALF - x)                     # to the wall that may take the sun away
    steep = torch.where(on_x, torch.full_like(x, -SUN[1] / SUN[2]), torch.full_like(x, -SUN[1] / SUN[0]))
    wall_sun = side.clamp(min=0) * 1.5 * above(TOP + steep * other, y, size_y + size_at)

    # ------------------------------------------------------------------ the gallery behind an arch
    out_x = torch.maximum((HALF + DEPTH - px) * ix, (-HALF - DEPTH - px) * ix)
    out_z = torch.maximum((HALF + DEPTH - pz) * iz, (-HALF - DEPTH - pz) * iz)
    to_back = torch.minimum(out_x, out_z)
    to_vault = torch.where(dy < -1e-4, (VAULT - py) * iy, torch.full_like(dy, 1e4))
    behind = torch.minimum(torch.minimum(to_back, to_floor), to_vault)
    gx, gy, gz = px + dx * behind, py + dy * behind, pz + dz * behind
    on_back = (to_back <= to_floor) & (to_back <= to_vault)
    deep = (torch.maximum(gx.abs(), gz.abs()) - HALF).clamp(0, DEPTH) / DEPTH
    far = torch.where(out_x <= out_z, gz, gx)
    skirting = above(gy, .72, size_y) * on_back
    lit_bay = .55 + .45 * torch.cos(far * (2 * math.pi / BAY))

    # ------------------------------------------------------------------ columns: of the arch that was hit, and the one before
    toward = torch.where(on_x, dz, dx).sign()
    def column(shift):
        centre = BAY * torch.floor(at / BAY) + BAY / 2 - shift * toward * BAY
        cx = torch.where(on_x, HALF * x.sign(), centre)
        cz = torch.where(on_x, centre, HALF * z.sign())
        there = centre.abs() <= HALF + .01
        nearest = ((cx - px) * dx + (cz - pz) * dz) / (level * level)
        gap = ((px - cx) * dz - (pz - cz) * dx) / level              # of the ray from the axis, with its side
        def drum(radius, low, high):
            depth = torch.sqrt((radius ** 2 - gap * gap).clamp(min=0)) / level
            hit = nearest - depth
            yh, grain = py + dy * hit, pixel(hit)
            cover = ((radius - gap.abs()) / grain + .5).clamp(0, 1) * between(yh, low, high, grain)
            nx, nz = (px + dx * hit - cx) / radius, (pz + dz * hit - cz) / radius
            return cover * (there & (hit > 0) & (hit < torch.where(is_floor, to_floor, to_back))), nx, nz
        return drum(COLUMN, SPRING, 1.), drum(FOOT, SPRING, SPRING + .14), drum(FOOT, .86, 1.)
    drums = [*column(1.), *column(0.)]
    sunlit = lambda nx, nz: (nx * SUN[0] + nz * SUN[2]).clamp(min=0)

    # ------------------------------------------------------------------ the well, which is nearer than any column
    gap = (px * dz - pz * dx) / level
    hit = -(px * dx + pz * dz) / (level * level) - torch.sqrt((WELL ** 2 - gap * gap).clamp(min=0)) / level
    yh, grain = py + dy * hit, pixel(hit)
    round_well = ((WELL - gap.abs()) / grain + .5).clamp(0, 1) * between(yh, BRIM, 1., grain) * (hit > 0)
    nx, nz = (px + dx * hit) / WELL, (pz + dz * hit) / WELL
    well_sun, well_face = sunlit(nx, nz), (nx * dx + nz * dz).abs() / level
    to_brim = torch.where(dy > 1e-4, (BRIM - py) * iy, torch.full_like(dy, 1e4)).clamp(max=60)
    across = torch.sqrt((px + dx * to_brim).square() + (pz + dz * to_brim).square())
    grain = pixel(to_brim) * (1 + iy.abs().clamp(max=12) * .4)
    brim = above(WELL - across, 0., grain) * (dy > 1e-4)
    hole = above(HOLE - across, 0., grain) * (dy > 1e-4)

    # ------------------------------------------------------------------ colours
    up = (-dy / length).clamp(0, 1)
    west = .5 + .5 * dx / level
    clear = torch.exp(-torch.where(is_floor, to_floor, to_wall).clamp(max=30) * length * .035)
    out = []
    for c in range(3):
        colour = lambda name: scene[name].to(dev)[:, c][:, None, None, None]
        stone, hue, well = colour("stone"), colour("hue"), colour("well")
        warm = LAMP[c] * (1.1, .86, .62)[c]
        haze = mix(LIGHTS["dusk"][c], LIGHTS["day"][c], day)
        shadow, sun = mix((.40, .37, .50)[c], (.50, .54, .62)[c], day), (.62, .56, .44)[c] * day
        glow = warm * (1 - day)
        sky_day = mix((.80, .89, .96)[c], (.26, .50, .86)[c], up.sqrt())
        sky_dusk = mix(mix((.42, .34, .50)[c], (.98, .55, .28)[c], west * west), (.13, .14, .34)[c], (up * 1.3).clamp(max=1).sqrt())
        sky = mix(sky_dusk, sky_day, day)

        flags = stone * (.70 + .12 * slabs)
        plaster = mix(stone * .55 + .36, hue * .62, .35)
        floor = mix(mix(flags, stone * .60, border), plaster, inner)
        floor = floor * (shadow + sun * 1.15 * floor_sun + glow * .55 * floor_glow) * (1 - .45 * near_well)

        wall = mix(stone * .96, hue * .80, band)
        wall = mix(wall, stone * .55 + .30, coping)
        wall = wall * (shadow + sun * 1.25 * wall_sun)
        inside_light = shadow * (.62 - .34 * deep * day) + glow * (.35 + .75 * lit_bay)
        back = mix(stone * .86, hue * .34, skirting)
        gallery = torch.where(on_back, back, torch.where(dy > 0, stone * .60, stone * .80)) * inside_light
        wall = mix(wall, gallery, opening)
        wall = mix(sky, mix(haze, wall, clear), wall_there)
        lit = torch.where(is_floor, mix(haze, floor, clear), wall)

        for (cover, nx, nz), paint in zip(drums, 2 * (hue * .88, stone * .55 + .34, stone * .5 + .26)):
            round_ = .70 + .30 * (nx * dx + nz * dz).abs() / level
            lit = mix(lit, paint * round_ * (shadow + sun * .9 * sunlit(nx, nz) + glow * .30), cover)

        ring = between(yh, BRIM, BRIM + .10, .02)
        body = well * (1 - .25 * (1 - ring)) * (.72 + .28 * well_face)
        lit = mix(lit, body * (shadow + sun * 1.2 * well_sun + glow * .12), round_well)
        lit = mix(lit, (well * .6 + .34) * (shadow + sun * .95), brim)
        lit = mix(lit, (.12, .26, .36)[c] * (.5 + .5 * shadow), hole)
        out.append(lit)
    return (torch.stack(out, -1).clamp(0, 1) * 255 + .5).to(torch.uint8)
