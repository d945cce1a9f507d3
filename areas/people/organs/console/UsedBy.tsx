import { Link } from 'react-router'
import type { Fault } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'

/** Where a record of a resource is shown. */
const places: Record<string, (id: number, title: string) => string> = {
  organ: (id) => `/systemManagement/organization?node=${id}`,
  department: (id) => `/systemManagement/department?node=${id}`,
  post: (_, title) => `/systemManagement/position?q=${encodeURIComponent(title)}`,
  region: (id) => `/systemManagement/region?node=${id}`,
  user: (_, title) => `/systemManagement/user?q=${encodeURIComponent(title)}`,
  project: (_, title) => `/projectManagement/projectConfig?q=${encodeURIComponent(title)}`,
}

/** Why a record cannot go, and links to what still uses it. */
export const UsedBy = ({ fault, close }: { fault: Fault; close: () => void }) => {
  const t = useWords()
  return (
    <>
      <p>{fault.message}</p>
      <ul>
        {fault.details.UsedBy?.map(({ Resource, Id, Title }) => (
          <li key={`${Resource} ${Id}`}>
            {t(Resource)}:{' '}
            {places[Resource] ? (
              <Link to={places[Resource](Id, Title)} onClick={close}>
                {Title}
              </Link>
            ) : (
              Title
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
