import { Link } from 'react-router'
import { resourceNamed } from '../../../contract/registry.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'
import { menuPath } from '../plainScreens.ts'

/** URL of a record: its position in its tree, or its list filtered by title. */
const placeOf = (r: Resource, id: number, title: string) =>
  menuPath(r.permission) && `${menuPath(r.permission)}?${r.tree ? `node=${id}` : `q=${encodeURIComponent(title)}`}`

/** Reason why a record cannot be removed, with links to the records that use it. */
export const UsedBy = ({ fault, close }: { fault: Fault; close: () => void }) => {
  const t = useWords()
  return (
    <>
      <p>{fault.message}</p>
      <ul>
        {fault.details.UsedBy?.map(({ Resource: name, Id, Title }) => {
          const r = resourceNamed(name)
          const place = r && placeOf(r, Id, Title)
          return (
            <li key={`${name} ${Id}`}>
              {t(name)}:{' '}
              {place ? (
                <Link to={place} onClick={close}>
                  {Title}
                </Link>
              ) : (
                Title
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
