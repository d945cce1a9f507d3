import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { flags } from './chromium.ts'
import { figure } from './figures.ts'
import { password, startWorld } from './world.ts'

const dist = join(import.meta.dirname, '../console/dist')

/** JavaScript that a browser fetches up to the login screen, and up to the first screen after it. */
export const page = async () => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: JavaScript sizes are not measured.')
    return []
  }
  const world = await startWorld(async () => undefined)
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const tab = await browser.newPage({ locale: 'en' })
    const loaded = new Set<string>()
    tab.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      if (pathname.endsWith('.js')) loaded.add(pathname)
    })
    const kilobytes = () => [...loaded].reduce((sum, path) => sum + brotliCompressSync(readFileSync(join(dist, path))).length, 0) / 1000
    await tab.goto(`${world.origin}/login`)
    await tab.locator('button[type=submit]').waitFor()
    const login = kilobytes()
    await tab.locator('#UserNO').fill('admin')
    await tab.locator('#Pwd').fill(password)
    await tab.locator('button[type=submit]').click()
    await tab.waitForURL((url) => url.pathname !== '/login')
    await tab.getByRole('heading', { level: 1 }).first().waitFor()
    await tab.waitForLoadState('networkidle')
    const first = kilobytes()
    return [figure('JavaScript before login, brotli', login, 'KB'), figure('JavaScript before the first screen, brotli', first, 'KB')]
  } finally {
    await browser.close()
    await world.close()
  }
}
