// What a person does without a mouse.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { dialog } from './browser.ts'

type Role = 'button' | 'link' | 'combobox' | 'spinbutton' | 'radiogroup' | 'radio' | 'tab' | 'textbox'

export const byKeyboard = (page: Page) => {
  const focused = page.locator(':focus')
  const press = (key: string) => page.keyboard.press(key)
  /** Presses Tab, or another key, until the element has the focus. */
  const tabTo = async (name: string | RegExp, role: Role, key = 'Tab') => {
    const wanted = page.getByRole(role, { name, exact: true }).and(focused)
    // Every entry of the sidebar is a stop.
    for (let i = 0; i < 120 && !(await wanted.count()); i++) await press(key)
    expect(await wanted.count(), `${role} ${name}`).toBe(1)
  }
  return {
    focused,
    tabTo,
    type: (text: string) => page.keyboard.type(text),
    press,
    enter: () => press('Enter'),
    /** Opens a screen or starts an action by the palette. */
    goTo: async (text: string, option: string) => {
      await press('Control+k')
      await dialog(page).getByRole('combobox').fill(text)
      await dialog(page).getByRole('option', { name: option }).first().waitFor()
      await press('Enter')
    },
    hasHeading: (name: string) => expect.poll(() => focused.textContent().catch(() => '')).toBe(name),
    /** Types into a list of choices and takes the first match. */
    choose: async (label: string, text: string, choice = text) => {
      await tabTo(label, 'combobox')
      await page.keyboard.type(text)
      // Enter takes the one that is marked; a list that has just come marks none.
      await page.locator('.ant-select-item-option-active').filter({ hasText: choice, visible: true }).first().waitFor()
      await press('Enter')
    },
  }
}
