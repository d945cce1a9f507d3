// Copies the images of a board: a stored file belongs to one record, so each is stored again.
import type { Actor } from '../../../../server/identity/actor.ts'
import type { BoardContent } from '../contract.ts'
import type { Board } from './named.ts'

export type CopyFile = (actor: Actor, path: string) => Promise<{ FilePath: string; FileName: string }>

/** A draft with copies of another board's images that its content uses. */
export const withImages = async (copy: CopyFile, actor: Actor, from: Board, given: Record<string, unknown>) => {
  const content = given.Content as BoardContent
  const there = new Set((from.Images ?? []).map(({ FilePath }) => FilePath))
  const named = [...new Set(content.Widgets.flatMap(({ Image }) => (Image && there.has(Image) ? [Image] : [])))]
  const copies = new Map<string, Awaited<ReturnType<CopyFile>>>()
  for (const path of named) copies.set(path, await copy(actor, path))
  const Images = [...copies.values()].map(({ FilePath, FileName }) => ({ FilePath, FileName }))
  const Widgets = content.Widgets.map(({ Image, ...widget }) => ({
    ...widget,
    ...(Image && { Image: copies.get(Image)?.FilePath ?? Image }),
  }))
  return { ...given, Images, Content: { ...content, Widgets } }
}
