// A template as a file, to carry it to another company. Its points are those of a group there.
import { saveFile } from '../../../../console/session/request.ts'
import type { Block } from '../blocks.ts'

const kind = 'penstock.reportTemplate'
type Template = {
  TemplateName: string
  Heading?: string | null
  Period: string
  Paper: string
  Landscape: number
  Blocks: readonly Block[]
}

export const saveTemplate = ({ TemplateName, Heading, Period, Paper, Landscape, Blocks }: Template) => {
  const text = JSON.stringify({ Kind: kind, TemplateName, Heading, Period, Paper, Landscape, Blocks }, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), `${TemplateName.replace(/[^\p{L}\p{N} ._-]/gu, '_')}.json`)
}

/**
 * The blocks of such a file, without the pictures that another company has; the server judges them when the template is saved. Nothing where
 * it is another file.
 */
export const blocksIn = (text: string): Block[] | undefined => {
  try {
    const read = JSON.parse(text) as { Kind?: unknown; Blocks?: unknown }
    const blocks = read?.Kind === kind && Array.isArray(read.Blocks) ? (read.Blocks as Block[]) : undefined
    if (!blocks?.every((block) => typeof block?.Type === 'string')) return undefined
    return blocks.map(({ Flowchart: _, ...block }) => block)
  } catch {
    return undefined
  }
}
