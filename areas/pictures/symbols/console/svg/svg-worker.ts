// Reads an SVG file beside the page, so that a hostile one delays nobody.
import { readSvg } from './readSvg.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(readSvg(data)))
