import { createElement, type Ref } from 'react'
import type { Shape } from '../drawing.ts'

type Props = { shapes: readonly Shape[]; size: { width: number; height: number }; label: string; font?: string; svg?: Ref<SVGSVGElement> }

/** Attributes of SVG, as React writes them. */
const written = (at: Shape['at']) =>
  Object.fromEntries(Object.entries(at).map(([name, value]) => [name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase()), value]))

/** Shapes as an image. The table beside it is its accessible equivalent. */
export const Drawing = ({ shapes, size: { width, height }, label, font, svg }: Props) => (
  <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} fontFamily={font} ref={svg}>
    {shapes.map(({ tag, at, text, title }, i) =>
      createElement(tag as string, { key: i, ...written(at) }, title === undefined ? text : <title>{title}</title>),
    )}
  </svg>
)
