import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { password } from '../front-door.ts'
import { dialog, journey, openBrowser, openSignedIn } from './browser.ts'
import { inspect } from './look.ts'

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
      await openSignedIn(page, at.penstock.origin, 'admin', password, '/systemManagement/personal/password')
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
