// Uses a part as a person would, so that the page opens with the part in the state that it should show.

/** Waits for an element of the part. */
export const find = async <E extends HTMLElement>(within: ParentNode, selector: string): Promise<E> => {
  for (;;) {
    const found = within.querySelector<E>(selector)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

const setterOf = (input: HTMLInputElement | HTMLTextAreaElement) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input) as object, 'value')!.set!

/** React listens to the event and compares the value, so both change. */
export const type = async (within: ParentNode, selector: string, text: string) => {
  const input = await find<HTMLInputElement>(within, selector)
  setterOf(input).call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

export const press = async (within: ParentNode, selector: string) => (await find(within, selector)).click()

export const choose = async (within: ParentNode, file: File) => {
  const input = await find<HTMLInputElement>(within, 'input[type=file]')
  const files = new DataTransfer()
  files.items.add(file)
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
