// Playlist of the demo company's first display. Pairing a display assigns it.
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { kinds } from '../../../pictures/shares/contract.ts'
import { televisions } from '../../../pictures/televisions/server/service.ts'

const names: Readonly<Record<Language, string>> = { en: 'Control room', zh: '控制室', es: 'Sala de control', ja: '監視室' }
type Shown = { ProjectId: number; board: number; pictures: readonly number[] }

/** The dashboard, then each picture, and the map; a high alarm interrupts the playlist. */
export const seedTelevision = async (db: Db, actor: Actor, { ProjectId, board, pictures }: Shown, language: Language) => {
  const Playlist = [
    { Kind: kinds.board, Id: board, Seconds: 30 },
    ...pictures.map((Id) => ({ Kind: kinds.picture, Id, Seconds: 20 })),
    { Kind: kinds.map, Seconds: 15 },
  ]
  await televisions.create(db, actor, { TelevisionName: names[language], ProjectId, Playlist, ShowAlarms: 1 })
}
