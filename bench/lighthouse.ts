import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromium } from 'playwright-core'
import { freePort } from '../main/testing/freePort.ts'
import { flags } from './chromium.ts'
import { type Figure, figure } from './figures.ts'

const categories = ['performance', 'accessibility', 'best-practices'] as const

/** Lighthouse's marks for pages, as on a desktop; behind the login with the token given. */
export const scores = async (executablePath: string, pages: Record<string, string>, token: string): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-lighthouse-'))
  const port = await freePort()
  const found: Figure[] = []
  for (const [name, url] of Object.entries(pages)) {
    const browser = await chromium.launchPersistentContext(join(folder, name), {
      executablePath,
      args: [...flags, `--remote-debugging-port=${port}`],
      locale: 'en',
    })
    try {
      const page = await browser.newPage()
      await page.goto(new URL('/penstock.svg', url).href)
      await page.evaluate(
        ([token]) => {
          localStorage.setItem('penstock.language', 'en')
          localStorage.setItem('penstock.loginHistory', '["manager1"]')
          if (token) localStorage.setItem('Authorization', token)
        },
        [name === 'login' ? '' : token] as const,
      )
      await page.close()
      const result = await lighthouse(
        url,
        { port, onlyCategories: [...categories], disableStorageReset: true, logLevel: 'error', output: 'json' },
        desktopConfig,
      )
      for (const category of categories) {
        const { score, auditRefs } = result!.lhr.categories[category]!
        found.push(figure(`Lighthouse ${category}, ${name}`, (score ?? 0) * 100, 'of 100'))
        const lost = auditRefs.filter(({ id, weight }) => weight > 0 && (result!.lhr.audits[id]!.score ?? 1) < 0.9)
        for (const { id } of lost)
          console.log(`  ${name}, ${category}: ${result!.lhr.audits[id]!.title} ${result!.lhr.audits[id]!.displayValue ?? ''}`)
      }
      const { details } = result!.lhr.audits['long-tasks']!
      const tasks = (details as { items?: { url: string; startTime: number; duration: number }[] } | undefined)?.items ?? []
      for (const { url, startTime, duration } of tasks)
        console.log(`  ${name}, held for ${Math.round(duration)} ms at ${Math.round(startTime)} ms: ${url.split('/').at(-1)}`)
    } finally {
      await browser.close()
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return found
}
