// What a person does again and again in lists and forms.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { until } from '../front-door.ts'
import { pane, shownIn } from './browser.ts'

/** Finds touch targets below 44 px in parts of the page. */
export const smallTargets = (page: Page, where: string) =>
  page.locator(where).evaluateAll((parts) =>
    parts
      .flatMap((part) => [...part.querySelectorAll('a, button:not(.skip), input, [role=tab], [role=combobox]')])
      .filter((el) => el.checkVisibility())
      .map((el) => el.closest('.ant-segmented-item, .ant-select, .ant-input-affix-wrapper, .ant-tabs-tab') ?? el)
      .filter((el) => Math.min(el.getBoundingClientRect().width, el.getBoundingClientRect().height) < 44)
      .map((el) => el.outerHTML.slice(0, 200)),
  )

/** The page may come later: it is asked for when something is done. */
export const handsOf = (at: { page: Page }) => {
  const row = (name: string) => pane(at.page).getByRole('row').filter({ hasText: name }).first()
  const act = async (name: string, action: string) => {
    await row(name).waitFor()
    const direct = row(name).getByRole('button', { name: `${action}: ${name}`, exact: true })
    if (await direct.count()) return direct.click()
    await row(name)
      .getByRole('button', { name: /^More actions/ })
      .click()
    await at.page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: action }).click()
  }

  const add = (thing: string) =>
    pane(at.page)
      .getByRole('button', { name: new RegExp(`Add ${thing}`, 'i') })
      .first()
      .click()

  /** Beside all choices: closes the list that is open. */
  const away = () => at.page.locator('.ant-modal-title, .ant-drawer-title').filter({ visible: true }).last().click()
  /** Opens a list of choices, presses some and leaves it. */
  const choose = async (within: Locator, label: string, ...choices: (string | RegExp)[]) => {
    const box = within.getByRole('combobox', { name: label, exact: true })
    await box.click()
    for (const choice of choices)
      await at.page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: choice }).first().click()
    await away()
  }
  /** Saves the open record, reopens it, and compares. */
  const again = async (form: Locator, open: () => Promise<void>) => {
    const before = await shownIn(form)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await open()
    await expect.poll(() => shownIn(form)).toEqual(before)
  }
  return { row, act, add, away, choose, again }
}

/** Whether a canvas is painted. */
export const isDrawn = (canvas: Locator) =>
  canvas.evaluate((c: HTMLCanvasElement) =>
    c
      .getContext('2d')!
      .getImageData(0, 0, c.width, c.height)
      .data.some((v) => v !== 0),
  )

type Place = readonly [x: number, y: number]
/** Where to press. A drawing that has just changed is replaced as a whole. */
export const middleOf = async (of: Locator): Promise<Place> => {
  const { x, y, width, height } = await until('its place', async () => (await of.boundingBox()) ?? undefined)
  return [x + width / 2, y + height / 2]
}
export const drag = async (page: Page, from: Place, to: Place) => {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(...to, { steps: 5 })
  await page.mouse.up()
}
