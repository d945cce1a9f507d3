// Each screen is loaded once for a width. Then the language and the theme change in place, and all are visited again.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Language } from '../../contract/languages.ts'
import { until } from '../house.ts'
import { expectAccessible, expectFits, openBrowser, visit } from './browser.ts'

const names: Record<Language, string> = { zh: '中文', en: 'English', es: 'Español', ja: '日本語' }

/** Chooses a language as a person does: in the top bar, or on a phone in the menu of the account. */
export const chooseLanguage = async (page: Page, language: Language) => {
  const top = page.locator('header.top')
  const button = top.locator('.anticon-global')
  if (await button.count()) await button.click()
  else {
    await top.locator('.anticon-user').click()
    await page.locator('.ant-dropdown .anticon-global').filter({ visible: true }).hover()
  }
  const choice = page.getByRole('menuitem', { name: names[language], exact: true })
  await choice.click()
  await choice.waitFor({ state: 'hidden' })
  await page.locator(`html[lang=${language}]`).waitFor()
}

/** Between them they cover four languages, two widths and both themes. */
export const walks = [
  { first: 'en', second: 'ja', width: 1440, isDark: false },
  { first: 'zh', second: 'es', width: 390, isDark: true },
] as const satisfies { first: Language; second: Language; width: number; isDark: boolean }[]

/** Resets the account's language to the browser's. */
const followBrowser = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('Authorization')}`, 'content-type': 'application/json' }
    await fetch('/api/System/User/Account', { method: 'PUT', headers, body: JSON.stringify({ Language: null }) })
  })

type Steps = {
  origin: string
  enter: (page: Page) => Promise<unknown>
  screens: readonly string[]
  /** Waits until the screen is there. */
  shown: (page: Page) => Promise<unknown>
  /** Names of words for which a screen has none. */
  untranslated: RegExp
}

/** Walks that need the first language: the choice is saved in the account that they share. */
let reading = 0

/** Looks at every screen in the first language and theme, with axe too, then in the second language and the other theme. */
export const walk = async (
  { first, second, width, isDark }: (typeof walks)[number],
  { origin, enter, screens, shown, untranslated }: Steps,
) => {
  const { page, problems, close } = await openBrowser(origin, { width, height: width < 500 ? 844 : 900, language: first, dark: isDark })
  const expectReadable = async (screen: string, language: Language, dark: boolean) => {
    const [lang, mode] = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.mode])
    expect({ lang, mode }, screen).toEqual({
      lang: language,
      mode: dark ? 'dark' : 'light',
    })
    await expectFits(page)
    expect(await page.locator('body').textContent(), `${screen} in ${language}`).not.toMatch(untranslated)
  }
  const readFirst = async () => {
    await enter(page)
    for (const screen of screens) {
      await page.goto(`${origin}${screen}`)
      await shown(page)
      await expectReadable(screen, first, isDark)
      await expectAccessible(page)
    }
  }
  try {
    reading++
    await readFirst().finally(() => reading--)
    await until('the walks beside it have come as far', async () => reading === 0, 240_000)
    await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
    await chooseLanguage(page, second)
    for (const screen of screens) {
      await visit(page, screen)
      // The router has drawn the address by then.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await shown(page)
      await expectReadable(screen, second, !isDark)
      expect(new URL(page.url()).pathname).toBe(new URL(screen, origin).pathname)
    }
    expect(problems).toEqual([])
  } finally {
    await followBrowser(page).catch(() => undefined)
    await close()
  }
}
