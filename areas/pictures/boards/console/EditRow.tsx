import { useEffect } from 'react'
import { useGo } from '../../../../console/shell/To.tsx'
import { boardsPath } from './BoardPage.tsx'
import NewBoard from './NewBoard.tsx'

type Props = { row: { Id: number } | undefined; tenant: number | undefined; close: () => void }

const Open = ({ id, close }: { id: number; close: () => void }) => {
  const go = useGo()
  useEffect(() => {
    close()
    go(`${boardsPath}?Id=${id}&edit=1`)
  }, [id, go, close])
  return null
}

/** Existing boards are edited on their page; a new one starts with a dialog. */
const EditRow = ({ row, tenant, close }: Props) => (row ? <Open id={row.Id} close={close} /> : <NewBoard tenant={tenant} close={close} />)
export default EditRow
