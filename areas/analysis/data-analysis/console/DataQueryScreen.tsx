import { QueryScreen } from './QueryScreen.tsx'

const DataQueryScreen = () => <QueryScreen code="m10303" />
export default DataQueryScreen
