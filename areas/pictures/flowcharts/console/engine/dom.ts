// Creates and patches SVG elements from a drawing's tree. Writes only differences.
import type { Tree } from '../../../../../contract/picture/tree.ts'

const svg = 'http://www.w3.org/2000/svg'

export const build = (tree: Tree): SVGElement => {
  const made = document.createElementNS(svg, tree.tag)
  for (const [name, value] of Object.entries(tree.attributes)) if (value !== undefined) made.setAttribute(name, String(value))
  for (const child of tree.children) made.append(typeof child === 'string' ? child : build(child))
  return made
}

const patchAttributes = (node: Element, before: Tree, after: Tree) => {
  for (const [name, value] of Object.entries(after.attributes)) {
    if (value === before.attributes[name]) continue
    if (value === undefined) node.removeAttribute(name)
    else node.setAttribute(name, String(value))
  }
  for (const name of Object.keys(before.attributes)) if (!(name in after.attributes)) node.removeAttribute(name)
}

const alike = (a: Tree | string | undefined, b: Tree | string) =>
  a !== undefined && (typeof a === 'string' ? typeof b === 'string' : typeof b !== 'string' && a.tag === b.tag)

/** Patches an element from `before` to `after`. `shallow` leaves its children unchanged. */
export const patch = (node: Element, before: Tree, after: Tree, shallow = false) => {
  patchAttributes(node, before, after)
  if (shallow) return
  if (before.children.length !== after.children.length || !after.children.every((child, i) => alike(before.children[i], child))) {
    node.replaceChildren(...after.children.map((child) => (typeof child === 'string' ? child : build(child))))
    return
  }
  after.children.forEach((child, i) => {
    const was = before.children[i]!
    if (typeof child !== 'string') patch(node.childNodes[i] as Element, was as Tree, child)
    else if (child !== was) (node.childNodes[i] as Text).data = child
  })
}
