// A map of many projects in a browser.
import { sql } from 'kysely'
import type { Database } from '../server/database/db.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { type At, drawn, open } from './tab.ts'

const projects = 10_000
const [rounds, steps] = [5, 240]

/** Projects of the first tenant, all over the land; their names come after those of others. */
export const seedProjects = (database: Database) =>
  database.system.rows(sql`
    insert into project ("EnterpriseId", "ProjectName", "Longitude", "Latitude")
    select e."Id", 'Z' || lpad(n::text, 5, '0'), (n * 37.77)::numeric % 320 - 160, (n * 11.13)::numeric % 120 - 50
    from (select min("EnterpriseId") as "Id" from project) e, generate_series(1, ${projects}) n`)

/** Until its marks are drawn, and each frame while it is dragged. */
export const mapShown = async (at: At): Promise<Figure[]> => {
  const took: number[] = []
  const gaps: number[] = []
  for (let i = 0; i < rounds; i++) {
    const page = await open(at, '/projectManagement/projectConfig')
    took.push(await drawn(page, '/visualizationCenter/map', '.map[data-base] .map-mark', 20))
    await page.waitForTimeout(1000)
    const { x, y, width, height } = (await page.locator('.map[data-base]').boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    const counting = page.evaluate(
      (ms) =>
        new Promise<number[]>((done) => {
          const found: number[] = []
          const start = performance.now()
          let last = start
          const frame = (now: number) => {
            found.push(now - last)
            last = now
            if (now - start < ms) requestAnimationFrame(frame)
            else done(found.slice(1))
          }
          requestAnimationFrame(frame)
        }),
      3000,
    )
    for (let n = 0; n < steps; n++) await page.mouse.move(x + width / 2 + 150 * Math.sin(n / 20), y + height / 2 + 100 * Math.cos(n / 20))
    gaps.push(...(await counting))
    await page.mouse.up()
    await page.close()
  }
  return [
    figure(`map of ${projects.toLocaleString('en')} projects: opened`, quantile(took, 0.5), 'ms'),
    figure('frame while it is dragged, p95', quantile(gaps, 0.95), 'ms'),
  ]
}
