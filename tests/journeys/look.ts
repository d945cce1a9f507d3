// How a part of the console looks: compared with an approved picture, or checked for texts that are clipped or overlap.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import { expectFits, settled } from './browser.ts'

const approved = join(import.meta.dirname, 'looks')
/** Of what is compared, an eighth in each direction: the letters are ours, but each machine smooths them in its own way. */
const coarse = 8
/** Levels of 255: how far a pixel may be off, and all of them on average. */
const tolerance = { pixel: 64, mean: 3 }

/** Compares with looks/<name>.png. A picture that is not there yet is made: look at it, then commit it. */
const compare = async (name: string, picture: Buffer) => {
  const shot = sharp(picture)
  const { width, height } = await shot.metadata()
  const small = await shot
    .resize(Math.ceil(width / coarse), Math.ceil(height / coarse), { fit: 'fill' })
    .removeAlpha()
    .png()
    .toBuffer()
  const file = join(approved, `${name}.png`)
  if (!existsSync(file)) {
    mkdirSync(approved, { recursive: true })
    writeFileSync(file, small)
    throw new Error(`${name}.png was made; look at it`)
  }
  const [now, then] = await Promise.all([small, file].map((of) => sharp(of).raw().toBuffer({ resolveWithObject: true })))
  expect([now!.info.width, now!.info.height], `${name}: size`).toEqual([
    expect.toSatisfy((n: number) => Math.abs(n - then!.info.width) <= 1),
    expect.toSatisfy((n: number) => Math.abs(n - then!.info.height) <= 2),
  ])
  const { width: w, height: h } = then!.info
  const pixels = await sharp(small).resize(w, h, { fit: 'fill' }).raw().toBuffer()
  const off = [...then!.data].map((level, at) => Math.abs(level - pixels[at]!))
  expect(off.reduce((sum, level) => sum + level, 0) / off.length, `${name}: mean difference`).toBeLessThan(tolerance.mean)
  expect(off.filter((level) => level > tolerance.pixel).length / off.length, `${name}: share of pixels that differ`).toBeLessThan(0.01)
}

const stillness = { animations: 'disabled', caret: 'hide' } as const
const still = async (page: Page) => {
  await page.mouse.move(0, 0)
  await expect.poll(() => page.locator('.ant-tooltip').filter({ visible: true }).count()).toBe(0)
  await settled(page)
}

/** Whatever the font, no text is clipped and none overlaps another. */
const expectReadable = async (name: string, part: Locator) => {
  const { count, found } = await part.evaluate((root) => {
    const texts: { text: string; lines: DOMRect[]; clipped: boolean }[] = []
    // What scrolls passes below a frozen column.
    const isFrozen = (element: Element) => {
      const cell = element.closest('td, th')
      return cell !== null && getComputedStyle(cell).position === 'sticky'
    }
    // Rows outside the scrolled viewport are not rendered.
    const isWithin = (element: Element, { top, bottom }: DOMRect) => {
      const edge = element.closest('.ant-table-content')?.getBoundingClientRect()
      return !edge || (bottom > edge.top && top < edge.bottom)
    }
    // A dialog covers what is below it.
    const above = root.querySelector('.ant-modal, .ant-drawer-content-wrapper') ?? root
    const walker = document.createTreeWalker(above, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      const isDrawn = parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      const isSeen = isDrawn && !parent.closest('.sr-only') && !isFrozen(parent)
      if (!node.textContent?.trim() || !isSeen) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = [...range.getClientRects()].filter((line) => line.width > 1 && isWithin(parent, line))
      const cutsOff = getComputedStyle(parent).overflowX !== 'visible'
      if (lines.length) texts.push({ text: node.textContent, lines, clipped: cutsOff && parent.scrollWidth > parent.clientWidth + 1 })
    }
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
    const overlaps = texts.flatMap((a, i) =>
      texts
        .slice(i + 1)
        .filter((b) => a.lines.some((one) => b.lines.some((other) => overlap(one, other))))
        .map((b) => `${a.text} | ${b.text}`),
    )
    return { count: texts.length, found: [...texts.flatMap((t) => (t.clipped ? [t.text] : [])), ...overlaps] }
  })
  expect(count, name).toBeGreaterThan(0)
  expect(found.join('; '), name).toBe('')
}

/** Only the console's own font, which has Latin letters, is the same on every machine. */
const isPictured = (language: string) => language === 'en' || language === 'es'

export const inspect = async (name: string, language: string, part: Locator) => {
  await still(part.page())
  if (isPictured(language)) return compare(`${name}-${language}`, await part.screenshot(stillness))
  await expectFits(part.page())
  await expectReadable(`${name}-${language}`, part)
}

/** Compares many parts of one page, by their ids. One screenshot of the page costs much less than one for each part. */
export const inspectAll = async (prefix: string, language: string, page: Page, ids: readonly string[]) => {
  await still(page)
  await expectFits(page)
  await page.evaluate(() => scrollTo(0, 0))
  const boxesNow = () => Promise.all(ids.map(async (id) => (await page.locator(`#${id}`).boundingBox())!))
  let boxes = await boxesNow()
  let whole: Sharp | false = false
  // What moves while the picture is taken, since a part above it grew, is taken again.
  for (let tries = 0; tries < 10; tries++) {
    whole = isPictured(language) && sharp(await page.screenshot({ ...stillness, fullPage: true }))
    const before = boxes
    boxes = await boxesNow()
    if (JSON.stringify(before) === JSON.stringify(boxes)) break
  }
  const faults: string[] = []
  for (const [i, id] of ids.entries()) {
    const part = page.locator(`#${id}`)
    const name = `${prefix}-${id}-${language}`
    const { x, y, width, height } = boxes[i]!
    const [left, top] = [Math.round(x), Math.round(y)]
    const looked = whole
      ? compare(
          name,
          await whole
            .clone()
            .extract({ left, top, width: Math.floor(width), height: Math.floor(height) })
            .png()
            .toBuffer(),
        )
      : expectReadable(name, part)
    await looked.catch((error: Error) => faults.push(error.message))
  }
  expect(faults).toEqual([])
}
