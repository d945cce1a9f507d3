import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { password } from '../house.ts'
import { dialog, expectFits, journey, openBrowser, settled, signIn } from './browser.ts'

const kept = join(import.meta.dirname, 'looks')
/** Of what is compared, an eighth in each direction: letters are drawn differently on each machine, layout and colours are not. */
const coarse = 8
/** Levels of 255: how far a pixel may be off, and all of them on average. */
const tolerance = { pixel: 64, mean: 3 }

/** Looks as it was last approved in looks/<name>.png. A picture that is not there yet is made: look at it, then keep it. */
const expectLook = async (name: string, part: Locator) => {
  await part.page().mouse.move(0, 0)
  await expect.poll(() => part.page().locator('.ant-tooltip').filter({ visible: true }).count()).toBe(0)
  await settled(part.page())
  const shot = sharp(await part.screenshot({ animations: 'disabled', caret: 'hide' }))
  const { width, height } = await shot.metadata()
  const small = await shot
    .resize(Math.ceil(width / coarse), Math.ceil(height / coarse), { fit: 'fill' })
    .removeAlpha()
    .png()
    .toBuffer()
  const file = join(kept, `${name}.png`)
  if (!existsSync(file)) {
    mkdirSync(kept, { recursive: true })
    writeFileSync(file, small)
    throw new Error(`${name}.png was made; look at it`)
  }
  const [now, then] = await Promise.all([small, file].map((of) => sharp(of).raw().toBuffer({ resolveWithObject: true })))
  expect([now!.info.width, now!.info.height], 'size').toEqual([
    expect.toSatisfy((n: number) => Math.abs(n - then!.info.width) <= 1),
    expect.toSatisfy((n: number) => Math.abs(n - then!.info.height) <= 2),
  ])
  const { width: w, height: h } = then!.info
  const pixels = await sharp(small).resize(w, h, { fit: 'fill' }).raw().toBuffer()
  const off = [...then!.data].map((level, at) => Math.abs(level - pixels[at]!))
  expect(off.reduce((sum, level) => sum + level, 0) / off.length, `${name}: mean difference`).toBeLessThan(tolerance.mean)
  expect(off.filter((level) => level > tolerance.pixel).length / off.length, `${name}: share of pixels that differ`).toBeLessThan(0.01)
}

/** Fonts for Chinese and Japanese differ between machines, so pictures do too. Whatever the font, no text is clipped and none overlaps another. */
const expectReadable = async (name: string, part: Locator) => {
  await expectFits(part.page())
  const faults = await part.evaluate((root) => {
    const texts: { text: string; box: DOMRect; clipped: boolean }[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      if (!node.textContent?.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      const cutsOff = getComputedStyle(parent).overflowX !== 'visible'
      if (box.width > 1) texts.push({ text: node.textContent, box, clipped: cutsOff && parent.scrollWidth > parent.clientWidth + 1 })
    }
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
    const overlaps = texts.flatMap((a, i) => texts.slice(i + 1).flatMap((b) => (overlap(a.box, b.box) ? [`${a.text} | ${b.text}`] : [])))
    return { count: texts.length, clipped: texts.filter((t) => t.clipped).map((t) => t.text), overlaps }
  })
  expect(faults, name).toEqual({ count: expect.toSatisfy((n: number) => n > 1), clipped: [], overlaps: [] })
}

const inspect = (name: string, language: string, part: Locator) =>
  language === 'en' || language === 'es' ? expectLook(`${name}-${language}`, part) : expectReadable(`${name}-${language}`, part)

journey('the look', { target: '/systemManagement/personal/password' }, (at) => {
  const seen = async (options: Parameters<typeof openBrowser>[1], tell: (page: Page) => Promise<void>) => {
    const { page, close } = await openBrowser(at.penstock.origin, options)
    try {
      await tell(page)
    } finally {
      await close()
    }
  }

  it.each([
    ['en', 1440, false],
    ['es', 390, true],
    ['zh', 390, true],
  ] as const)('of the sign-in in %s, %i px wide, is as approved (dark: %s)', (language, width, dark) =>
    seen({ language, width, dark, height: 844 }, async (page) => {
      await page.goto(`${at.penstock.origin}/login`)
      await page.locator('#UserNO').waitFor()
      await inspect('login', language, page.locator('body'))
    }),
  )

  it.each([
    ['en', false],
    ['es', true],
    ['ja', true],
  ] as const)('of appearance, help and password in %s is as approved (dark: %s)', (language, dark) =>
    seen({ language, dark, width: 1024 }, async (page) => {
      await signIn(page, at.penstock.origin, 'admin', password, '/systemManagement/personal/password')
      await inspect('password', language, page.locator('.pane:visible form'))
      await page.locator('header.top .anticon-question-circle').click()
      await inspect('help', language, page.locator('.help'))
      await page.keyboard.press('Escape')
      await page.locator('header.top .anticon-bg-colors').click()
      await dialog(page).getByRole('switch').first().waitFor()
      await inspect('appearance', language, dialog(page))
    }),
  )
})
