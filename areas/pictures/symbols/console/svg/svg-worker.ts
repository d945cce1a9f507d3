// Reads an SVG file in a worker, so that a hostile file cannot block the page.
import { readSvg } from './readSvg.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(readSvg(data)))
