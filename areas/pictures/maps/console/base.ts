// The base below the marks: land, and tiles of a map server if there is one. Drawn with WebGL, or on a canvas without it.
import type { Camera, Size } from './mercator.ts'
import type { Tiles } from './tiles.ts'

export type Ground = { water: string; land: string; border: string }
/** Lines, or an image with its corners clockwise from top left. */
export type Laid = { id: number; lines: number[][][] | null; image: { url: string; corners: number[][] } | null }
export type Base = {
  kind: 'gl' | 'canvas'
  show: (camera: Camera, size: Size) => void
  paint: (ground: Ground) => void
  /** The company's own layers, lowest first; positions in the coordinate system of the map server. */
  lay: (layers: readonly Laid[]) => void
  close: () => void
}
export type OpenBase = (into: HTMLElement, ground: Ground, tiles: Tiles | undefined) => Promise<Base>

const byProcessor = /swiftshader|llvmpipe|softpipe|software|basic render/i
/** Whether WebGL is hardware-accelerated. With software rendering, a 2D canvas is four times as fast. */
export const hasWebGl = (): boolean => {
  try {
    const gl = document.createElement('canvas').getContext('webgl2')
    if (!gl) return false
    const names = gl.getExtension('WEBGL_debug_renderer_info')
    const card = String(gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER))
    gl.getExtension('WEBGL_lose_context')?.loseContext()
    return !byProcessor.test(card)
  } catch {
    return false
  }
}

export const openBase: OpenBase = async (into, ground, tiles) => {
  if (hasWebGl()) {
    try {
      return await (await import('./glBase.ts')).openGl(into, ground, tiles)
    } catch {
      into.replaceChildren()
    }
  }
  return (await import('./canvasBase.ts')).openCanvas(into, ground, tiles)
}
