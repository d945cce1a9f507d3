import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { password } from '../front-door.ts'
import { expectAccessible, expectFits, journey, openBrowser, openSignedIn } from './browser.ts'

const projects = '/projectManagement/projectConfig'

journey('somebody chooses how the console looks', { target: projects }, (at) => {
  const drawer = (on: Page = at.page) => on.getByRole('dialog', { name: 'Appearance' })
  const open = async (on: Page = at.page) => {
    await on.getByRole('banner').getByRole('button', { name: 'Appearance' }).click()
    await drawer(on).getByText('Theme colour', { exact: true }).waitFor()
  }
  const close = async (on: Page = at.page) => {
    const saved = on.waitForResponse((answer) => answer.url().endsWith('/System/ThemeSet') && answer.request().method() === 'POST')
    await on.keyboard.press('Escape')
    await drawer(on).waitFor({ state: 'hidden' })
    expect(await (await saved).json()).toMatchObject({ Succeeded: true })
  }
  const toggle = (name: string) => drawer().getByRole('switch', { name, exact: true })
  const pick = (what: string, colour: string) =>
    drawer()
      .getByRole('radio', { name: `${what}: ${colour}` })
      .check()
  const variable = (name: string, on = at.page) => on.evaluate((n) => document.documentElement.style.getPropertyValue(`--${n}`), name)

  it('[theme-controls] [theme-presets] finds three colours with suggestions, the switches and the way back', async () => {
    await open()
    for (const name of ['Theme colour', 'Navigation bar', 'Sidebar'])
      expect(
        await drawer()
          .getByRole('radiogroup', { name: `${name}: suggestions` })
          .getByRole('radio')
          .count(),
      ).toBeGreaterThan(5)
    for (const name of ['Logo in the sidebar', 'Page tabs', 'Footer', 'Always show footer', 'Compact', 'High contrast'])
      expect(await toggle(name).count(), name).toBe(1)
    await drawer().getByRole('button', { name: 'Reset' }).waitFor()
    await expectAccessible(at.page)
  })

  it('[theme-fixed-footer] is asked about the fixed footer only while there is a footer', async () => {
    await toggle('Footer').click()
    await toggle('Always show footer').waitFor({ state: 'detached' })
    await toggle('Footer').click()
    await toggle('Always show footer').waitFor()
  })

  it('[theme-save-on-close] [theme-load] keeps it here and on the server, and another browser has it', async () => {
    const second = await openBrowser(at.penstock.origin)
    await openSignedIn(second.page, at.penstock.origin, 'admin', password, projects)
    await second.page.getByRole('heading', { name: 'Projects' }).waitFor()
    await pick('Theme colour', '#0f8a7a')
    await pick('Sidebar', '#2b2140')
    await close()
    expect(JSON.parse((await at.page.evaluate(() => localStorage.getItem('penstock.theme'))) ?? '')).toMatchObject({
      Sidebar: '#2b2140',
    })
    await expect.poll(() => variable('side', second.page), { timeout: 60_000 }).toBe('#2b2140')
    const third = await openBrowser(at.penstock.origin)
    await openSignedIn(third.page, at.penstock.origin, 'admin', password, projects)
    await expect.poll(() => variable('side', third.page), { timeout: 60_000 }).toBe('#2b2140')
    expect([...second.problems, ...third.problems]).toEqual([])
    await second.close()
    await third.close()
  })

  it.each([
    ['#c8641b', '#0f8a7a', '#e8eef5'],
    ['#2f8f3a', '#14202f', '#ffffff'],
    ['#b13f92', '#1d8df0', '#3a2320'],
  ])('reads everything with %s on %s and %s, light and dark (ruling 44)', async (theme, navigation, sidebar) => {
    await open()
    await pick('Theme colour', theme)
    await pick('Navigation bar', navigation)
    await pick('Sidebar', sidebar)
    for (const mode of ['Light', 'Dark']) {
      await drawer().getByText(mode, { exact: true }).click()
      await expect.poll(() => at.page.evaluate(() => document.documentElement.dataset.mode), { timeout: 60_000 }).toBe(mode.toLowerCase())
      await close()
      await expectAccessible(at.page)
      await open()
    }
    await close()
  })

  it('reads in high contrast, and works compact and on a phone', async () => {
    await open()
    await toggle('High contrast').click()
    await toggle('Compact').click()
    await close()
    await expectAccessible(at.page)
    await at.page.setViewportSize({ width: 390, height: 844 })
    await open()
    await expectFits(at.page)
    await drawer().getByRole('button', { name: 'Reset' }).click()
    await close()
    await at.page.setViewportSize({ width: 1440, height: 900 })
    expect(await variable('side')).toBe('#14202f')
    expect(at.browser.problems).toEqual([])
  })
})
