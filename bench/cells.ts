// The spreadsheet of a device with 10,000 points in a real browser: frames while it scrolls, and a large paste.
import { sql } from 'kysely'
import { chromium, type Page } from 'playwright-core'
import type { Database } from '../server/database/db.ts'
import { flags } from './chromium.ts'
import { figure, quantile } from './figures.ts'
import { password, seedTenants, startWorld } from './world.ts'

const [points, pasted, rounds] = [10_000, 1000, 5]

const seed = async ({ system }: Database): Promise<number> => {
  const [device] = await system.rows<{ Id: number }>(sql`
    with gateway as (insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId")
      select "EnterpriseId", 'Large', 'LARGE00001', "Id" from project limit 1 returning *)
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "SlaveNumber") select "EnterpriseId", 'Large', "Id", 1 from gateway returning "Id"`)
  await system.rows(sql`
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select "EnterpriseId", "Id", 'Point ' || i, (i * 2)::text from device, generate_series(1, ${points}) i where "Id" = ${device!.Id}`)
  return device!.Id
}

/** Times between frames while the sheet scrolls a third of a screen in each, ms. */
const scrolled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const box = document.querySelector('.sheet')!
        const frames: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          frames.push(now - last)
          last = now
          box.scrollTop += 300
          if (frames.length < 400) requestAnimationFrame(step)
          else done(frames.slice(1))
        }
        requestAnimationFrame(step)
      }),
  )

/** From the paste to the frame after the one that shows its cells, ms. */
const paste = (page: Page, text: string) =>
  page.evaluate(
    (text) =>
      new Promise<number>((done) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        const start = performance.now()
        document
          .querySelector('[role=grid]')!
          .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
        const look = () => {
          if (document.querySelector('.sheet-changed')) requestAnimationFrame(() => done(performance.now() - start))
          else requestAnimationFrame(look)
        }
        look()
      }),
    text,
  )

export const cells = async () => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: the spreadsheet is not measured.')
    return []
  }
  const world = await startWorld(async (database) => {
    await seedTenants(database, 1)
    return seed(database)
  })
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en' })
    const target = `/projectManagement/pointManagement?DeviceId=${world.seeded}`
    await page.goto(`${world.origin}/login?redirect=${encodeURIComponent(target)}`)
    await page.locator('#UserNO').fill('manager1')
    await page.locator('#Pwd').fill(password)
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Edit as a spreadsheet' }).click()
    await page.locator("[data-row='0'] [data-column='0']").waitFor({ timeout: 60_000 })
    const frames = await scrolled(page)
    await page.locator('.sheet').evaluate((box) => {
      box.scrollTop = 0
    })
    await page.locator("[data-row='0'] [data-column='0']").click()
    const took: number[] = []
    for (let round = 0; round < rounds; round++) {
      const lines = Array.from({ length: pasted }, (_, i) =>
        [`Renamed ${round}-${i}`, '', 'bar', '4', String(i * 2), '7', '0', '1', '5', '2000'].join('\t'),
      )
      took.push(await paste(page, lines.join('\n')))
      await page.keyboard.press('Control+z')
      await page.locator('.sheet-changed').first().waitFor({ state: 'detached' })
    }
    const of = `${points.toLocaleString('en')} points on screen`
    return [
      figure(`${of}, a frame while scrolling, median`, quantile(frames, 0.5), 'ms'),
      figure(`${of}, a frame while scrolling, p95`, quantile(frames, 0.95), 'ms'),
      figure(`${of}, paste of ${pasted.toLocaleString('en')} x 10 cells`, quantile(took, 0.5), 'ms'),
    ]
  } finally {
    await browser.close()
    await world.close()
  }
}
