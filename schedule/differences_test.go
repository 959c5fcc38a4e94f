package schedule

// A difference is a case that Salt gets wrong: the reason, and the runs that
// are right.
type difference struct{ reason, runs string }

const (
	sameRuns     = "the runs are Salt's, which skips or tells otherwise"
	isolated     = "one bad job does not stop the others"
	offset       = "a time with an offset is that time"
	exactlyOnce  = "what is due once runs once, also when looks at the clock fall on whole seconds"
	allFilters   = "all filters of a job hold"
	skipFunction = "skip_function is for the skipped run only"
	skipsOnly    = "a run to be skipped later does not stop the runs before it"
	goesOn       = "a job that did not change goes on as it was"
	putBack      = "a clock that is put back neither repeats nor holds up runs"
	zone         = "the clock of the zone is honoured: no time is lost in the gap or run twice in the repeated hour, and intervals go on"
	eachTime     = "each time of a list is met"
)

var differences = map[string]difference{
	"interval-string-bad":                  {isolated, "12:00:00 k test.ping, 12:00:05 k test.ping, 12:00:10 k test.ping"},
	"interval-none":                        {isolated, "12:00:00 k test.ping, 12:00:05 k test.ping, 12:00:10 k test.ping"},
	"interval-list":                        {isolated, sameRuns},
	"run-on-start-once":                    {exactlyOnce, "12:00:00 j test.ping, 12:00:30 j test.ping"},
	"when-bad-tz-offset":                   {offset, "11:59:50 k test.ping, 12:00:10 k test.ping, 12:00:30 k test.ping"},
	"when-bad-int":                         {isolated, "11:59:50 k test.ping, 12:00:10 k test.ping, 12:00:30 k test.ping"},
	"when-bad-dict":                        {isolated, "11:59:50 k test.ping, 12:00:10 k test.ping, 12:00:30 k test.ping"},
	"when-list-one-second-apart":           {eachTime, "12:00:10 j test.ping, 12:00:11 j test.ping, 12:00:12 j test.ping"},
	"cron-bad-none":                        {isolated, "12:00:00 k test.ping, 12:00:20 k test.ping"},
	"cron-bad-int":                         {isolated, "12:00:00 k test.ping, 12:00:20 k test.ping"},
	"cron-bad-list":                        {isolated, "12:00:00 k test.ping, 12:00:20 k test.ping"},
	"once-plain":                           {exactlyOnce, "12:00:20 j test.ping"},
	"once-fmt":                             {exactlyOnce, "12:00:00 j test.ping"},
	"once-fmt-tz":                          {offset, "12:00:00 k test.ping, 12:00:05 k test.ping"},
	"once-datetime":                        {exactlyOnce, "12:00:20 j test.ping"},
	"once-exact-start":                     {exactlyOnce, "12:00:00 j test.ping"},
	"once-splay":                           {exactlyOnce, "12:00:20 j test.ping"},
	"splay-dict-reversed":                  {isolated, "12:00:00 k test.ping, 12:00:10 k test.ping, 12:00:20 k test.ping, 12:00:30 k test.ping, 12:00:40 k test.ping, 12:00:50 k test.ping, 12:01:00 k test.ping"},
	"splay-dict-missing-end":               {isolated, "12:00:00 k test.ping, 12:00:10 k test.ping"},
	"splay-negative":                       {isolated, sameRuns},
	"splay-string":                         {isolated, "12:00:00 j test.ping, 12:00:00 k test.ping, 12:00:10 k test.ping, 12:00:20 k test.ping, 12:00:30 k test.ping, 12:00:31 j test.ping"},
	"range-missing-end":                    {isolated, "12:00:00 j test.ping, 12:00:00 k test.ping, 12:00:05 k test.ping, 12:00:10 k test.ping"},
	"until-bad":                            {isolated, "12:00:00 j test.ping, 12:00:00 k test.ping, 12:00:10 k test.ping, 12:00:20 k test.ping"},
	"until-int":                            {isolated, sameRuns},
	"after-until-window":                   {allFilters, "12:00:00 j test.ping, 12:00:20 j test.ping, 12:00:30 j test.ping, 12:00:40 j test.ping, 12:00:50 j test.ping"},
	"after-overrides-range":                {allFilters, "12:00:00 j test.ping, 12:00:30 j test.ping, 12:00:35 j test.ping, 12:00:40 j test.ping, 12:00:45 j test.ping, 12:00:50 j test.ping, 12:00:55 j test.ping, 12:01:00 j test.ping"},
	"until-overrides-after":                {allFilters, "12:00:00 j test.ping, 12:00:15 j test.ping"},
	"skip-during-range-function":           {skipFunction, "12:00:00 j test.ping, 12:00:07 j test.ping, 12:00:14 j test.ping, 12:00:21 j test.ping, 12:00:28 j test.ping, 12:00:35 j test.false, 12:00:42 j test.false, 12:00:49 j test.false, 12:00:56 j test.false, 12:01:03 j test.ping, 12:01:10 j test.ping, 12:01:17 j test.ping, 12:01:24 j test.ping, 12:01:31 j test.ping, 12:01:38 j test.ping"},
	"skip-explicit":                        {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:30 j test.ping, 12:00:40 j test.ping, 12:00:50 j test.ping"},
	"skip-explicit-two":                    {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:30 j test.ping, 12:00:50 j test.ping, 12:01:00 j test.ping"},
	"skip-explicit-datetime":               {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:30 j test.ping, 12:00:40 j test.ping, 12:00:50 j test.ping"},
	"skip-explicit-future-blocks":          {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:20 j test.ping, 12:00:30 j test.ping, 12:00:40 j test.ping, 12:00:50 j test.ping, 12:01:10 j test.ping, 12:01:20 j test.ping"},
	"skip-explicit-no-fmt":                 {isolated, "12:00:00 j test.ping, 12:00:10 j test.ping"},
	"skip-explicit-string":                 {isolated, "12:00:00 j test.ping, 12:00:10 j test.ping"},
	"postpone":                             {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:25 j test.ping, 12:00:35 j test.ping, 12:00:45 j test.ping, 12:00:55 j test.ping"},
	"skip-job-api":                         {skipsOnly, "12:00:00 j test.ping, 12:00:10 j test.ping, 12:00:30 j test.ping, 12:00:40 j test.ping, 12:00:50 j test.ping, 12:01:00 j test.ping"},
	"maxrunning-string":                    {isolated, sameRuns},
	"pillar-schedule-none":                 {isolated, "12:00:00 j test.ping"},
	"pillar-refresh-keeps-or-resets":       {goesOn, "12:00:00 p test.ping, 12:00:00 o test.ping, 12:00:05 o test.ping, 12:00:10 p test.ping, 12:00:10 o test.ping, 12:00:15 o test.ping, 12:00:20 p test.ping, 12:00:20 o test.ping, 12:00:25 o test.ping, 12:00:30 p test.ping, 12:00:30 o test.ping"},
	"job-string":                           {isolated, "12:00:00 k test.ping"},
	"job-none":                             {isolated, "12:00:00 k test.ping"},
	"job-list":                             {isolated, "12:00:00 k test.ping"},
	"job-list-after-good":                  {isolated, sameRuns},
	"exception-in-middle-stops-later-jobs": {isolated, "12:00:00 a test.ping, 12:00:00 c test.ping, 12:00:03 a test.ping, 12:00:03 c test.ping, 12:00:06 a test.ping, 12:00:06 c test.ping, 12:00:09 a test.ping, 12:00:09 c test.ping"},
	"several-jobs":                         {exactlyOnce, "12:00:00 a test.ping, 12:00:05 a test.ping, 12:00:10 a test.ping, 12:00:15 a test.ping, 12:00:20 a test.ping, 12:00:25 a test.ping, 12:00:30 a test.ping, 12:00:30 c test.ping, 12:00:35 a test.ping, 12:00:40 a test.ping, 12:00:45 a test.ping, 12:00:45 d test.ping, 12:00:50 a test.ping, 12:00:55 a test.ping, 12:01:00 a test.ping, 12:01:00 b test.ping, 12:01:05 a test.ping, 12:01:10 a test.ping, 12:01:15 a test.ping, 12:01:20 a test.ping, 12:01:25 a test.ping, 12:01:30 a test.ping, 12:01:35 a test.ping, 12:01:40 a test.ping, 12:01:45 a test.ping, 12:01:50 a test.ping, 12:01:55 a test.ping, 12:02:00 a test.ping, 12:02:00 b test.ping, 12:02:05 a test.ping"},
	"jump-back-interval":                   {putBack, "12:00:00 j test.ping, 11:05:00 j test.ping, 11:10:00 j test.ping, 11:15:00 j test.ping, 11:20:00 j test.ping, 11:25:00 j test.ping, 11:30:00 j test.ping, 11:35:00 j test.ping, 11:40:00 j test.ping, 11:45:00 j test.ping, 11:50:00 j test.ping, 11:55:00 j test.ping, 12:00:00 j test.ping, 12:05:00 j test.ping, 12:10:00 j test.ping, 12:15:00 j test.ping, 12:20:00 j test.ping, 12:25:00 j test.ping, 12:30:00 j test.ping, 12:35:00 j test.ping, 12:40:00 j test.ping, 12:45:00 j test.ping, 12:50:00 j test.ping, 12:55:00 j test.ping, 13:00:00 j test.ping, 13:05:00 j test.ping"},
	"jump-back-when-run-again":             {putBack, "12:00:05 j test.ping"},
	"jump-back-when-list":                  {putBack, "12:00:05 j test.ping, 12:00:15 j test.ping"},
	"jump-back-once-run-again":             {putBack, "12:00:05 j test.ping"},
	"dst-berlin-spring-once-0230":          {zone, "03-29T03:00:00 j test.ping"},
	"dst-berlin-autumn-interval-30min":     {zone, "10-25T02:00:00 j test.ping, 10-25T02:30:00 j test.ping, 10-25T02:00:00 j test.ping, 10-25T02:30:00 j test.ping, 10-25T03:00:00 j test.ping, 10-25T03:30:00 j test.ping"},
	"dst-berlin-autumn-when-0230":          {zone, "10-25T02:30:00 j test.ping"},
	"dst-berlin-autumn-once-0230":          {zone, "10-25T02:30:00 j test.ping"},
	"dst-new-york-spring-once-0230":        {zone, "03-08T03:00:00 j test.ping"},
	"dst-new-york-autumn-cron-15min":       {zone, "11-01T01:15:00 j test.ping, 11-01T01:30:00 j test.ping, 11-01T01:45:00 j test.ping, 11-01T01:00:00 j test.ping, 11-01T01:15:00 j test.ping, 11-01T01:30:00 j test.ping, 11-01T01:45:00 j test.ping, 11-01T02:00:00 j test.ping, 11-01T02:15:00 j test.ping, 11-01T02:30:00 j test.ping, 11-01T02:45:00 j test.ping"},
	"dst-new-york-autumn-when-0230":        {zone, "11-01T01:30:00 k test.ping, 11-01T02:30:00 j test.ping"},
}
