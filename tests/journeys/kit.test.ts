// The kit (npm run kit): every part of the console's kernel, in front of a real server.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveBuiltKit } from '../../main/kit/serve.ts'
import { password } from '../front-door.ts'
import { browserPath, openBrowser, startPenstock, why } from './browser.ts'
import { inspectAll } from './look.ts'

/** They name the days of this week. */
const notPictured = ['cron', 'days']

describe.skipIf(!browserPath)(`the kit${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  let kit: Awaited<ReturnType<typeof serveBuiltKit>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let page: Page
  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO: 'off' })
    kit = await serveBuiltKit({ penstock: penstock.origin, password })
    browser = await openBrowser(kit.address.replace(/\/$/, ''))
    page = browser.page
  })
  afterAll(async () => {
    await browser?.close()
    await kit?.close()
    await penstock?.close()
  })

  const open = async (width: number, query: string) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${kit.address}?bare=1&${query}`)
    await page.locator('.kit-section').first().waitFor()
    await expect.poll(() => page.locator('[data-ready=false]').count()).toBe(0)
  }
  it.each([
    ['en', 'light', 1280],
    ['es', 'dark', 390],
    ['zh', 'light', 390],
    ['ja', 'dark', 1280],
  ] as const)('looks as approved in %s, %s, %i px wide', async (language, mode, width) => {
    await open(width, `lang=${language}&mode=${mode}`)
    const all = await page.locator('.kit-section').evaluateAll((sections) => sections.map((section) => section.id))
    expect(all.length).toBeGreaterThan(20)
    const ids = all.filter((id) => !notPictured.includes(id))
    await inspectAll('kit', language, page, ids)
  })

  it('a conflict compares what was sent, however quickly it was saved after the last letter', async () => {
    await open(1280, 'lang=en')
    expect(await page.locator('#conflict fieldset .ant-radio-wrapper-checked').allInnerTexts()).toEqual(['Yours: S3', 'Theirs: Disabled'])
  })
})
