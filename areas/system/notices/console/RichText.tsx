import { createElement, Fragment, type ReactNode } from 'react'
import { richAddress, richTags } from '../contract.ts'

const allowed = new Set<string>(richTags)

const shown = (node: Node, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof HTMLElement)) return null
  const tag = node.tagName.toLowerCase()
  const children = [...node.childNodes].map(shown)
  if (!allowed.has(tag)) return createElement(Fragment, { key }, ...children)
  if (tag === 'br') return createElement('br', { key })
  const address = node.getAttribute('href') ?? ''
  const link = tag === 'a' && richAddress.test(address) ? { href: address, target: '_blank', rel: 'noopener noreferrer' } : {}
  return createElement(tag, { key, ...link }, ...children)
}

/** Renders rich text as elements created here: no markup reaches the page, even if the server missed some. */
export const RichText = ({ html }: { html: string }) => (
  <div className="rich-text">{[...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(shown)}</div>
)
