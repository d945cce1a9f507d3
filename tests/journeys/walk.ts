// Each screen is loaded once for a width. Then the language and the theme change in place, and all are visited again.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Language } from '../../contract/languages.ts'
import { openFrontDoor } from '../front-door.ts'
import { expectAccessible, expectFits, openBrowser, openSignedIn, visit } from './browser.ts'

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

type Steps = {
  origin: string
  /** Of `admin`, and of the account that walks. */
  password: string
  screens: readonly string[]
  /** Waits until the screen is there. */
  shown: (page: Page) => Promise<unknown>
  /** Names of words for which a screen has none. */
  untranslated: RegExp
}

/** Adds an administrator for one walk: all pages of an account follow its language. */
const addWalker = async (origin: string, password: string, UserNO: string) => {
  const door = await openFrontDoor(origin, password)
  const { Items } = await door.data<{ Items: { Id: number; RoleName: string }[] }>('GET', '/System/Role/List?EnterpriseId=1')
  const RoleIds = Items.filter(({ RoleName }) => RoleName === 'Platform administrator').map(({ Id }) => Id)
  const body = { UserNO, UserName: 'Walker', EnterpriseId: 1, RoleIds }
  const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', body)
  await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(UserNO, OneTimePwd))
}

/** Looks at every screen in the first language and theme, with axe too, then in the second language and the other theme. */
export const walk = async (
  { first, second, width, isDark }: (typeof walks)[number],
  { origin, password, screens, shown, untranslated }: Steps,
) => {
  const account = `walker_${first}`
  await addWalker(origin, password, account)
  const { page, problems, close } = await openBrowser(origin, {
    width,
    height: width < 500 ? 844 : 900,
    language: first,
    dark: isDark,
    known: [account],
  })
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
    await openSignedIn(page, origin, account, password)
    for (const screen of screens) {
      await page.goto(`${origin}${screen}`)
      await shown(page)
      await expectReadable(screen, first, isDark)
      await expectAccessible(page)
    }
  }
  try {
    await readFirst()
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
    await close()
  }
}
