# The nightly check that comes along: a line a rule, 11 while one does not hold, 0 when all do, and 7 where nobody can tell.
source "$LIB"

nightly() { status "$1" sh "$ROOT/examples/nightly.sh"; }
rule() { grep -E "^[0-9-]{10} $1 $2" out >/dev/null || fail "no line \"$1 $2\" in: $(cat out)"; }

nightly 11
rule 11 'open leads have an owner: error: [0-9]+ leads?, and --at-most is 0\.$'
rule 0 'no lead stands twice$'
equals 6 "$(wc -l <out | tr -d ' ')"

# Somebody sees to it.
crm leads assign --where state=open --where no:assigned --add Priya --yes -q >/dev/null
crm leads contacted --where state=open --where last_contacted=never..-90d --yes -q >/dev/null
crm leads update --where state=open --where no:email --where no:phone --phone '+44 20 7946 0958' --yes -q >/dev/null
crm proposals status --where status=new --where end=..yesterday --to declined --yes --clear-signatures -q >/dev/null
crm leads create --title 'Just in' --status New --category Inbound --email fresh@north.example --assigned Priya --last-contacted today -q >/dev/null
nightly 0
equals 6 "$(grep -cE '^[0-9-]{10} 0 ' out)"

# Somebody comes twice.
crm leads create --title 'Just in, too' --status New --category Inbound --email Fresh+web@north.example --assigned Priya --last-contacted today -q >/dev/null
nightly 11
rule 11 'no lead stands twice: error: 1 group of duplicates, and --at-most is 0\.$'
equals 5 "$(grep -cE '^[0-9-]{10} 0 ' out)"

# What can't be read is not in order.
CRM_BASE_URL=http://127.0.0.1:9 nightly 7
equals 6 "$(grep -cE '^[0-9-]{10} 7 ' out)"
