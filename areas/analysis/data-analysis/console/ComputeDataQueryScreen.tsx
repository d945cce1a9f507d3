import { QueryScreen } from './QueryScreen.tsx'

/** Formula points, counters, amounts and rates over any time. */
const ComputeDataQueryScreen = () => <QueryScreen code="m10309" computed />
export default ComputeDataQueryScreen
