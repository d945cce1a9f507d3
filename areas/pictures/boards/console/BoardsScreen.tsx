import { Navigate, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { list } from '../../../../console/kernel/plainScreens.ts'
import { useOwner } from '../../../../console/session/useTenant.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { visualBoard, visualBoardCalls } from '../contract.ts'
import BoardPage, { boardsPath } from './BoardPage.tsx'

const List = lazyScreen(
  list(visualBoard, ['Title', 'ProjectId', 'IsDefault'], {
    filters: ['ProjectId'],
    link: ({ Id }) => `${boardsPath}?Id=${Id}`,
    form: () => import('./EditRow.tsx'),
  }),
)

/** Opens the company's default board from the menu; otherwise shows the list. */
const First = () => {
  const { data, isPending, error } = useCall(visualBoardCalls.default, { query: useOwner(visualBoard) ?? {}, of: ['visualBoard'] })
  if (isPending) return null
  return data && !error ? <Navigate replace to={`${boardsPath}?Id=${(data as { Id: number }).Id}`} /> : <List />
}

const BoardsScreen = () => {
  const [params] = useSearchParams()
  if (params.has('Id')) return <BoardPage />
  return params.size ? <List /> : <First />
}
export default BoardsScreen
